import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundle } from '../../scripts/build.mjs';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder with the programs that fault tests start and kill. */
    faultChildren: string;
  }
}

/** Bundles the programs in children/ once per run, into a folder of its own: several runs may go on side by side. */
export default async function bundleChildren(project: TestProject): Promise<() => void> {
  const sources = join(import.meta.dirname, 'children');
  const programs = readdirSync(sources).filter((name) => name.endsWith('.ts'));
  const folder = mkdtempSync(join(tmpdir(), 'agentx-fault-children-'));
  chmodSync(folder, 0o755);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    await bundle({
      entryPoints: Object.fromEntries(programs.map((name) => [basename(name, '.ts'), join(sources, name)])),
      outdir: folder,
      outExtension: { '.js': '.mjs' },
    });
  } catch (error) {
    remove();
    throw error;
  }
  project.provide('faultChildren', folder);
  return remove;
}
