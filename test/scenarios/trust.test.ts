import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { agentx, agentxCommand, aRepository, askArguments } from './support/agentx.js';
import { KEYS, onTerminal } from './support/terminal.js';

const CONFIG = '[agents.architect]\nrunner = "command"\ncommand = ["node", "architect.mjs"]\n';
const FILES = {
  'architect.mjs': "import { writeFileSync } from 'node:fs';\nwriteFileSync('ran', '');\nconsole.log('SQLite.');\n",
};
const ASK = askArguments('Adapter', 'Which?');
const ISSUES = [{ title: 'Store orders' }];

/** A user who has approved nothing yet. */
function aUser() {
  const home = temporaryFolder();
  return { home, options: { env: { HOME: home, AGENTX_TRUST: '' } } };
}

describe('agentx trust', () => {
  it('stands between a cloned config and its programs, until a person has approved them [US-6.2/18]', async () => {
    const cwd = await aRepository({ config: CONFIG, files: FILES, issues: ISSUES });
    const { home, options } = aUser();
    const refused = agentx(cwd, [...ASK, '--json'], options);
    expect(refused.status).toBe(1);
    expect(refused.json()).toMatchObject({
      error: {
        code: 'UNAUTHORIZED',
        message: expect.stringMatching(/'architect' would run node architect\.mjs.*approve them with: agentx trust/),
      },
    });
    expect(readdirSync(cwd)).not.toContain('ran');
    expect(agentx(cwd, ['clarify', '--all', '--json'], options).json()).toEqual({ clarifications: [] });

    expect(agentx(cwd, ['trust', '--yes'], options)).toMatchObject({
      status: 0,
      stdout: 'architect  node architect.mjs\nApproved this program. A changed command needs a new approval.\n',
      stderr: '',
    });
    expect(agentx(cwd, ASK, options)).toMatchObject({ status: 0, stdout: expect.stringContaining('SQLite.') });
    expect(readdirSync(cwd)).toContain('ran');

    const file = join(home, '.local/state/agentx/trust.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(agentx(cwd, ['trust'], options).stdout).toContain('Approved already.');
    expect(agentx(cwd, ['trust', '--yes', '--json'], options).json()).toMatchObject({
      approved: true,
      programs: [{ agent: 'architect', command: ['node', 'architect.mjs'] }],
    });
  });

  it.each([[['trust']], [ASK]])(
    'does not wait for an answer to a question that nobody sees: %s with stderr in a file',
    async (args) => {
      const cwd = await aRepository({ config: CONFIG, files: FILES, issues: ISSUES });
      const { options } = aUser();
      const program = ['sh', '-c', '"$@" 2>talk', 'sh', ...agentxCommand];
      const session = onTerminal(cwd, args, { ...options, program });
      expect(await session.ended).toBeGreaterThan(0);
      expect(readFileSync(join(cwd, 'talk'), 'utf8')).toContain('agentx trust');
    },
  );

  it('asks anew when a program has changed, and remembers the one before', async () => {
    const cwd = await aRepository({ config: CONFIG, files: FILES, issues: ISSUES });
    const { options } = aUser();
    agentx(cwd, ['trust', '--yes'], options);
    const path = join(cwd, '.agentx/config.toml');
    const approved = readFileSync(path, 'utf8');
    writeFileSync(path, approved.replace('\ncommand = ["node", ', '\ncommand = ["node", "--no-warnings", '));
    const refused = agentx(cwd, ASK, options);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('would run node --no-warnings architect.mjs, and you have not approved');
    expect(agentx(cwd, ['trust'], options)).toMatchObject({ status: 2 });
    writeFileSync(path, approved);
    expect(agentx(cwd, ASK, options).status).toBe(0);
  });

  it('approves nothing unasked: without a terminal it says what to do', async () => {
    const cwd = await aRepository({ config: CONFIG, files: FILES, issues: ISSUES });
    const { home, options } = aUser();
    const { status, stdout, stderr } = agentx(cwd, ['trust'], { ...options, input: 'y\n' });
    expect({ status, stdout }).toEqual({ status: 2, stdout: 'architect  node architect.mjs\n' });
    expect(stderr).toContain('There is no terminal to ask on.');
    expect(stderr).toContain('agentx trust --yes');
    expect(agentx(cwd, ['trust', '--json'], options).json()).toMatchObject({
      error: { code: 'INVALID_INPUT', details: { programs: [{ agent: 'architect', shown: 'node architect.mjs' }] } },
    });
    expect(readdirSync(home)).toEqual([]);
  });

  it.each([
    ['Ctrl-C', KEYS.ctrlC],
    ['Ctrl-D', '\u0004'],
    ['Enter', KEYS.enter],
  ])('takes %s for a no, on a line of its own', async (_, key) => {
    const cwd = await aRepository({ config: CONFIG });
    const { home, options } = aUser();
    const terminal = onTerminal(cwd, ['trust'], options);
    await terminal.until('May agents run this program? [y/N]');
    terminal.type(key);
    expect(await terminal.ended).toBe(1);
    expect(terminal.screen()).toMatch(/^Not approved: agents with these programs are refused\.$/m);
    expect(readdirSync(home)).toEqual([]);
  });

  it('hides nothing in a command', async () => {
    const command = '["node", "-e", "a b", "\\u001b[8mhidden", "x\\ny"]';
    const config = `[agents.architect]\nrunner = "command"\ncommand = ${command}\nenv = { NODE_OPTIONS = "-r ./x" }\n`;
    const cwd = await aRepository({ config });
    const { stdout } = agentx(cwd, ['trust'], aUser().options);
    expect(stdout).toContain('NODE_OPTIONS=');
    expect(stdout).toContain('hidden');
    expect(stdout).not.toContain('\u001b');
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  });

  it('is for people only', async () => {
    const cwd = await aRepository({ config: CONFIG });
    const { home, options } = aUser();
    const env = { ...options.env, AGENTX_AGENT: 'engineer' };
    const { status, stdout, stderr } = agentx(cwd, ['trust', '--yes'], { env });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe(
      "error: Agent 'engineer' cannot approve programs: only a person can. Ask one to run: agentx trust\n",
    );
    expect(agentx(cwd, ['trust', '--json'], { env }).json()).toMatchObject({ error: { code: 'UNAUTHORIZED' } });
    expect(readdirSync(home)).toEqual([]);
  });

  it('says so where there is nothing to approve', async () => {
    const cwd = await aRepository();
    const { options } = aUser();
    expect(agentx(cwd, ['trust'], options)).toMatchObject({
      status: 0,
      stdout: 'Nothing to approve: config.toml names no programs.\n',
    });
    expect(agentx(cwd, ['trust', '--json'], options).json()).toEqual({ approved: true, programs: [] });
  });

  // There the system says of a folder that is there that it is not.
  it.runIf(process.platform === 'linux')('says that nothing can be kept below /proc', async () => {
    const cwd = await aRepository({ config: CONFIG, files: FILES });
    const env = { HOME: '/proc/nobody', AGENTX_TRUST: '' };
    for (const args of [
      ['trust', '--yes'],
      ['mcp', 'install', 'claude', '--yes'],
    ]) {
      const { status, stderr } = agentx(cwd, args, { env });
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: expect.stringMatching(/^error: Cannot use \/proc\/nobody: .*\.\n$/m),
      });
    }
    expect(agentx('/proc/self', ['init'])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^error: Cannot write \/proc\/\d+\/\.agentx\/config\.toml: /),
    });
  });
});
