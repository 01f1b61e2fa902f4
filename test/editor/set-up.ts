import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { launchBrowserServer } from '../../scripts/browser.mjs';
import { installEditor, whyNoEditor } from '../../scripts/editor.mjs';
import { anEditor, type EditorAddress } from './support/editor.js';

/** One editor for all tests, with the packaged extension; or why this machine has none, or why it does not start. */
export type ProvidedEditor =
  | { readonly missing: string }
  | { readonly missing?: never; readonly broken: string }
  | EditorAtWork;

interface EditorAtWork {
  readonly missing?: never;
  readonly broken?: never;
  readonly browser: string;
  readonly vsix: string;
  readonly editor: EditorAddress;
}

declare module 'vitest' {
  export interface ProvidedContext {
    editor: ProvidedEditor;
  }
}

const ROOT = resolve(import.meta.dirname, '../..');
const VSIX = resolve(ROOT, 'extension/agentx-vscode.vsix');

/** An error here would end the tests of all projects, so it is handed to the tests of this one. */
export default async function setUp(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const missing = whyNoEditor() ?? (await whyNotInstalled());
  if (missing !== undefined) {
    if (process.env.AGENTX_EDITOR === 'required') {
      project.provide('editor', { broken: missing });
    } else {
      console.error(`\nThe tests of the editor are SKIPPED: ${missing}\n`);
      project.provide('editor', { missing });
    }
    return undefined;
  }
  try {
    await packaged();
    const [browser, editor] = await Promise.all([launchBrowserServer(), anEditor(VSIX)]);
    project.provide('editor', { browser: browser.wsEndpoint(), vsix: VSIX, editor: editor.address });
    return async () => {
      await Promise.all([browser.close(), editor.stop()]);
    };
  } catch (error) {
    project.provide('editor', { broken: `The editor does not start: ${messageOf(error)}` });
    return undefined;
  }
}

async function whyNotInstalled(): Promise<string | undefined> {
  try {
    await installEditor();
    return undefined;
  } catch (error) {
    return `VS Code could not be installed: ${messageOf(error)}`;
  }
}

/** As `npm run package` does it, in a process of its own. */
async function packaged(): Promise<void> {
  const child = spawn(process.execPath, ['scripts/run.cjs', 'package'], { cwd: ROOT });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`npm run package ended with ${code}: ${output}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
