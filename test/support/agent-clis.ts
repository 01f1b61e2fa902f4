import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from './temporary-folder.js';

const FAKE = join(import.meta.dirname, 'fake-agent-cli.mjs');
const PROGRAMS = ['claude', 'codex', 'copilot', 'gemini', 'qwen', 'opencode', 'cn'];

/** What a fake CLI does in a turn. */
export interface FakeTask {
  /** Which agent, issue and turn it is for; by default all. */
  readonly agent?: string;
  readonly issue?: string;
  readonly turn?: string;
  readonly write?: Readonly<Record<string, string>>;
  readonly call?: { readonly tool: string; readonly input: object };
  readonly answer?: string;
  /** What it says on the way, and writes down with its prompt in its own file of the session. */
  readonly transcript?: readonly string[];
  /** Instead of its stream. */
  readonly print?: string;
  readonly stderr?: string;
  readonly exit?: number;
  /** It stays until this file is in its home. */
  readonly until?: string;
  readonly shell?: string;
}

export interface FakeStart {
  readonly name: string;
  readonly args: readonly string[];
  readonly prompt: string;
  readonly cwd: string;
  readonly agent: string;
  readonly turn?: string;
}

/** A home in which all seven agent CLIs are on the path, as programs that behave like them. */
export function aHomeWithClis(programs: readonly string[] = PROGRAMS) {
  const home = temporaryFolder();
  const bin = join(home, 'bin');
  mkdirSync(bin);
  for (const name of programs) {
    const script = `#!/bin/sh\nexec "${process.execPath}" "${FAKE}" ${name} "$@"\n`;
    writeFileSync(join(bin, name), script, { mode: 0o755 });
  }
  const lines = <T>(file: string): readonly T[] => {
    const path = join(home, file);
    if (!existsSync(path)) return [];
    return readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line): T => JSON.parse(line));
  };
  return {
    home,
    env: { HOME: home, PATH: `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin` },
    tell: (...tasks: readonly FakeTask[]) => writeFileSync(join(home, 'tasks.json'), JSON.stringify(tasks)),
    started: () => lines<FakeStart>('started.jsonl'),
    /** What the tools of our server returned. */
    called: () => lines<{ readonly content?: readonly { readonly text: string }[] }>('called.jsonl'),
    let: (name: string) => writeFileSync(join(home, name), ''),
  };
}
