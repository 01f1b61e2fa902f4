import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { agentx, aRepository, askArguments } from './support/agentx.js';
import { openInbox } from './support/inbox.js';
import { aRunnable, letTimeRunOut, storeOf } from './support/runs.js';
import { KEYS, onTerminal } from './support/terminal.js';

const BAD_USAGE = 2;
/** Without a terminal these say what to add; with one they ask. */
const ASKING = /^(?:inbox answer|clarify (?:resolve|follow-up)|assumptions reject|issue create)\b/;

/** The commands that an output names, as a reader would copy them. */
function hintsIn({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): readonly string[] {
  const named = `${stdout}\n${stderr}`.matchAll(/(?<!\.|no ')\bagentx ([a-z]+(?: (?:--?[\w-]+|[\w#-]+))*)/g);
  return [...named].map(([, command = '']) => command);
}

/** A folder in which everything waits that can wait. */
async function aBusyFolder(): Promise<string> {
  const cwd = await aRepository({
    issues: [{ title: 'Health', labels: ['type:feature'] }, { title: 'Login' }, { title: 'Old' }],
    config: `${['product-manager', 'ux-designer', 'engineer', 'reviewer']
      .map((agent) => `[agents.${agent}]\nrunner = "human"\n`)
      .join('')}[agents.architect]\nrunner = "script"\nscript = "architect.toml"\n`,
    files: { 'architect.toml': '[[turns]]\nagent = "architect"\nanswer = "SQLite."\n' },
  });
  const ask = ['ask', '--issue', '1', '--from', 'engineer', '--topic', 'Scope', '-q', 'Is CSV in?', '--to'];
  agentx(cwd, [...ask, 'pm']);
  agentx(cwd, ['issue', 'close', '3']);
  const parts = [{ id: 'q1', text: 'How long?', createdAt: '2026-02-26T10:00:00.000Z' }];
  const { id } = await (await openInbox(cwd)).ask({ parts, fallback: { text: '30 days' } });
  await letTimeRunOut(cwd, id);
  return cwd;
}

const SAYING: readonly (readonly string[])[] = [
  ['init'],
  ['issue'],
  ['ready'],
  ['clarify'],
  ['clarify', '--all'],
  ['clarify', 'show', 'clr-1-1'],
  ['inbox'],
  ['inbox', '--all'],
  ['assumptions'],
  ['state'],
  ['state', '--budget'],
  ['digest'],
  ['doctor'],
  ['watch'],
  ['run', '3'],
  ['run', '9'],
  ['issue', 'show', '9'],
  ['clarify', 'show', 'clr-1-9'],
  ['clarify', 'answer', 'clr-1-1', '-m', 'Yes.'],
  ['inbox', 'show', 'oq-zz'],
  ['hook', 'start', 'engineer', '9'],
  ['state', 'set', 'engineer', 'idle', '--issue', '9'],
  ['clarify', 'CLR-1-001'],
  ['issue', '1'],
  askArguments('Database', 'Which?'),
];

describe('a hint', () => {
  it.each([
    ['inbox answer', ['-m', 'CSV.']],
    ['inbox decline', []],
    ['clarify resolve', ['-m', 'CSV.']],
  ])('of %s names the run that waited for it, and its command ends the run', async (verb, words) => {
    const cwd = await aRunnable({
      steps: '[[steps]]\nid = "build"\ntitle = "Build"\nagent = "engineer"\ncan_clarify = ["product-manager"]\n',
      script:
        '[[turns]]\nagent = "engineer"\nclarify = [{ to = "product-manager", topic = "Scope", question = "Which?" }]\n' +
        '[[turns]]\nagent = "engineer"\ntext = "Done."\n',
      config: '[agents.product-manager]\nrunner = "human"\n',
    });
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    const [{ id = '' } = {}] = (await storeOf(cwd).questions.list()).items;
    const settled = agentx(cwd, [...verb.split(' '), verb.startsWith('inbox') ? id : 'CLR-1-001', ...words]);
    expect(settled.stderr).toContain('The run can go on: agentx run 1\n');
    expect(agentx(cwd, ['run', '1'])).toMatchObject({ status: 0, stdout: expect.stringContaining('exit=complete') });
  });

  it('that a command prints can be copied and works', async () => {
    const cwd = await aBusyFolder();
    const hints = new Set(SAYING.flatMap((args) => hintsIn(agentx(cwd, args))));
    expect([...hints]).toEqual(expect.arrayContaining(['inbox', 'issue reopen 3', 'clarify resolve CLR-1-002']));
    expect(hints.size).toBeGreaterThan(12);
    for (const hint of hints) {
      if (ASKING.test(hint)) continue;
      const { status, stderr } = agentx(cwd, hint.split(' '));
      expect(status, `agentx ${hint}: ${stderr}`).not.toBe(BAD_USAGE);
      expect(status, `agentx ${hint}: ${stderr}`).not.toBe(4);
    }
    for (const hint of hints) {
      if (!ASKING.test(hint)) continue;
      const terminal = onTerminal(cwd, hint.split(' '), { rows: 40 });
      await terminal.until(/Esc leaves it open|has ended/);
      terminal.type(KEYS.escape);
      expect(await terminal.ended, `agentx ${hint}: ${terminal.screen()}`).not.toBe(4);
    }
  });

  it('says what helps where there is no folder yet, and where a file is damaged', async () => {
    const cwd = await aBusyFolder();
    const path = join(cwd, '.agentx/state/clarifications/issue-1.json');
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, -20));
    expect(hintsIn(agentx(cwd, ['clarify', '--issue', '1']))).toEqual(['doctor --repair']);
    agentx(cwd, ['doctor', '--repair']);
    expect(agentx(cwd, ['clarify', '--issue', '1']).status).toBe(0);
    rmSync(join(cwd, '.agentx'), { recursive: true });
    expect(hintsIn(agentx(cwd, ['issue']))).toEqual(['init']);
    agentx(cwd, ['init']);
    expect(existsSync(join(cwd, '.agentx/config.toml'))).toBe(true);
    expect(hintsIn(agentx(cwd, ['issue']))).toEqual(['issue create']);
  });

  it('for another folder says how that folder is found, in words that a shell keeps together', async () => {
    const cwd = await aBusyFolder();
    const elsewhere = temporaryFolder();
    const root = join(elsewhere, "ada's shop");
    expect(agentx(elsewhere, ['ready', '--root', root]).stderr).toContain(
      `Make one: agentx init --root '${elsewhere}/ada'\\''s shop'\n`,
    );
    renameSync(join(cwd, '.agentx'), join(elsewhere, '.agentx'));
    const need = `Add to these commands: --root ${elsewhere}\n`;
    expect(agentx(cwd, ['inbox', '--root', elsewhere]).stderr).toContain(need);
    expect(agentx(cwd, ['issue', 'show', '9', '--root', elsewhere]).stderr).toContain(need);
    expect(agentx(cwd, ['issue', 'show', '9', '--root', elsewhere, '--json']).stderr).not.toContain(need);
    expect(agentx(elsewhere, ['inbox', '--root', elsewhere]).stderr).not.toContain(need);
    agentx(elsewhere, ['memory', 'add', '--agent', 'engineer', '-m', 'Attempts end with backoff']);
    expect(agentx(elsewhere, ['memory', 'search', "backof; it's $(date)"]).stderr).toContain(
      "agentx memory search 'backoff; it'\\''s $(date)'\n",
    );
  });
});
