import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { agentxCommand, askArguments, PATIENCE_MS } from './support/agentx.js';

/*
 * What one `sudo` leaves: files that belong to another user. If the tests run as root, the other user is root and the
 * commands run as the user nobody. Otherwise the files are closed to their owner, which looks the same from inside.
 */
const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;
const REMEDY = isRoot
  ? /To make it yours: sudo chown -R nobody \S+\/\.agentx\b/
  : /To open it: chmod -R u\+rwX \S+\/\.agentx\b/;

const COMMANDS: readonly (readonly string[])[] = [
  ['issue', 'create', '-t', 'Another'],
  ['issue', 'show', '1'],
  ['issue'],
  askArguments('Scope', 'Which?'),
  ['clarify'],
  ['clarify', 'show', 'CLR-1-001'],
  ['inbox'],
  ['inbox', 'show', 'oq-none'],
  ['assumptions'],
  ['ready'],
  ['state'],
  ['hook', 'start', 'engineer', '1'],
  ['digest'],
  ['run', '1'],
  ['doctor'],
  ['watch'],
  ['serve', '--port', '0'],
];
const DENIED = { code: 'STORE_ERROR', details: { cause: 'EACCES', remedy: expect.stringMatching(REMEDY) } };

/** Nothing is approved but what the list of approvals holds. */
const UNTRUSTED = { AGENTX_TRUST: '' };

/** Commands that need none of the closed files. */
const UNTOUCHED: Readonly<Record<string, readonly string[]>> = { state: ['issue show 1', 'issue'], '.': [] };

const opened: string[] = [];
afterEach(() => {
  for (const path of opened.splice(0)) chmodSync(path, 0o700);
});

describe.each(['state', '.'])('a folder of another user (%s)', (closed) => {
  it.each([[[]], [['--json']]])('is told in a sentence with what to do, by every command %j', (options: string[]) => {
    const project = aProject();
    takeAway(join(project, '.agentx', closed));
    for (const command of COMMANDS) {
      const line = command.join(' ');
      if (UNTOUCHED[closed]?.includes(line)) continue;
      const { status, stdout, stderr } = asNobody(project, [...command, ...options]);
      const output = `${stdout}${stderr}`;
      expect.soft(output, line).toMatch(REMEDY);
      expect.soft(output, line).not.toMatch(/^\s+at |node:fs/m);
      // The board shows what it can, and says what it cannot.
      if (line === 'watch' && closed === 'state') continue;
      expect.soft(status, line).toBe(1);
      // The doctor reports it as a problem among others.
      if (line === 'doctor') expect.soft(stderr, line).toBe('');
      else if (options.length > 0) expect.soft(JSON.parse(stderr), line).toMatchObject({ error: DENIED });
    }
  });
});

describe('a single file of another user', () => {
  it.each([[['issue']], [['ready']], [['doctor']], [['issue', 'show', '1']]])('is told by: agentx %j', (command) => {
    const project = aProject();
    takeAway(join(project, '.agentx/issues/1.json'));
    const { stdout, stderr } = asNobody(project, command);
    expect(`${stdout}${stderr}`).toMatch(REMEDY);
    // A command that is copied ends where it ends.
    expect(`${stdout}${stderr}`).not.toMatch(/\.agentx\.\s/);
  });
});

describe('the list of approvals of another user', () => {
  it.each(['agentx/trust.json', 'agentx', ''])('is told with what to do, and hides nothing else: %s', (closed) => {
    const project = aProject();
    const states = join(project, 'home/.local/state');
    appendFileSync(
      join(project, '.agentx/config.toml'),
      '\n[agents.engineer]\nrunner = "command"\ncommand = ["none"]\n',
    );
    expect(asNobody(project, ['trust', '--yes'], UNTRUSTED).status).toBe(0);
    takeAway(join(states, closed));
    writeFileSync(join(project, '.agentx/issues/1.json'), '{');
    for (const command of ['trust', 'doctor']) {
      const { status, stdout, stderr } = asNobody(project, [command], UNTRUSTED);
      expect(status, command).toBe(1);
      expect(`${stdout}${stderr}`, command).toMatch(
        isRoot ? /sudo chown -R nobody \S+\/state/ : /chmod -R u\+rwX \S+\/state/,
      );
      if (command !== 'doctor') continue;
      expect(stdout).toContain(join(states, 'agentx/trust.json'));
      expect(stdout).toMatch(/^problem {3}\.agentx\/issues\/1\.json$/m);
      expect(stdout).not.toMatch(/Cannot read \S*config\.toml/);
      expect(stdout).toContain("there is no program 'none'");
    }
  });
});

describe('a folder that is closed', () => {
  it.each(['workflows', 'agents', 'state/questions', 'state/clarifications', 'config.toml'])(
    'is one problem to the doctor, once, who reports all others: %s',
    (closed) => {
      const project = aProject();
      if (closed.startsWith('state')) mkdirSync(join(project, '.agentx', closed), { recursive: true });
      takeAway(join(project, '.agentx', closed));
      writeFileSync(join(project, '.agentx/issues/1.json'), '{');
      for (const command of [['doctor'], ['doctor', '--repair']]) {
        const { status, stdout, stderr } = asNobody(project, command);
        expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
        expect(stdout.match(new RegExp(`^problem   \\.agentx/${closed}$`, 'gm'))).toHaveLength(1);
        expect(stdout).toMatch(REMEDY);
        expect(stdout).toMatch(/^(?:problem|repaired) {2,3}\.agentx\/issues\/1\.json$/m);
      }
    },
  );

  it('is opened by what the doctor says of a file in it, wherever it is said', () => {
    const project = aProject();
    takeAway(join(project, '.agentx/workflows/story.toml'));
    const { stdout } = asNobody(project, ['doctor']);
    expect(stdout).toMatch(REMEDY);
    expect(stdout).not.toMatch(/(?:chown|chmod) .* \.agentx/);
  });
});

/** A folder with an issue, and everything below it, that belongs to the user who runs the commands. */
function aProject(): string {
  const project = temporaryFolder();
  chmodSync(project, 0o755);
  mkdirSync(join(project, 'home'));
  if (isRoot) for (const path of [project, join(project, 'home')]) chownSync(path, NOBODY, NOBODY);
  expect(asNobody(project, ['init']).status).toBe(0);
  expect(asNobody(project, ['issue', 'create', '-t', 'One']).status).toBe(0);
  appendFileSync(join(project, '.agentx/config.toml'), '\n[agents.architect]\nrunner = "human"\n');
  return project;
}

/** What is below it is hidden with it. */
function takeAway(path: string): void {
  const all = statSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : [];
  if (isRoot) for (const name of ['', ...all]) chownSync(join(path, name), 0, 0);
  chmodSync(path, isRoot ? 0o700 : 0o000);
  opened.push(path);
}

function asNobody(cwd: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const [program, ...before] = agentxCommand;
  const { status, stdout, stderr } = spawnSync(program, [...before, ...args], {
    cwd,
    encoding: 'utf8',
    timeout: PATIENCE_MS,
    env: { PATH: process.env.PATH, HOME: join(cwd, 'home'), USER: 'nobody', AGENTX_TRUST: '1', ...more },
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  });
  return { status, stdout, stderr };
}
