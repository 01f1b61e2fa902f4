import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandAgent } from './support/agents.js';
import { agentx, aRepository, spawnAgentx, startAgentx } from './support/agentx.js';
import { openInbox } from './support/inbox.js';

const ADR = '# ADR 1\n\n## Decision\n\nOne adapter per database.\n';
const workflow = (path: string) => `
[workflow]
name = "feature"

[[steps]]
id = "design"
title = "Design"
agent = "architect"

[[steps]]
id = "implement"
title = "Implement"
agent = "engineer"
needs = ["design"]
can_clarify = ["architect"]
writes_answers = "${path}"
`;

const ask = ['ask', '--issue', '1', '--from', 'engineer', '--to', 'architect'];

async function aProject(config: string, path = 'docs/adr/ADR-{{issue_number}}.md'): Promise<string> {
  const answer = 'process.stdin.resume(); process.stdin.on("end", () => process.stdout.write("PostgreSQL."));';
  return aRepository({
    config,
    files: { 'architect.mjs': answer, 'docs/adr/ADR-1.md': ADR, '.agentx/workflows/feature.toml': workflow(path) },
    issues: [{ title: 'Health', labels: ['type:feature'] }],
  });
}

const adrOf = (cwd: string): string => readFileSync(join(cwd, 'docs/adr/ADR-1.md'), 'utf8');
const dateOf = (): string => new Date().toISOString().slice(0, 4);

describe('a step that writes answers', () => {
  it('adds what an agent answered to the artifact, once, however often it is told [X-14/1]', async () => {
    const cwd = await aProject(commandAgent('architect'));
    agentx(cwd, [...ask, '--topic', 'db', '-q', 'Which database shall it be?']);
    agentx(cwd, ['clarify', 'resolve', 'CLR-1-001', '-m', 'Clear.']);
    const first = adrOf(cwd);
    expect(first.startsWith(ADR)).toBe(true);
    expect(first).toContain(`## Clarifications\n\n### CLR-1-001: db (${dateOf()}`);
    expect(first).toContain('engineer asked architect:\n\n> Which database shall it be?');
    expect(first).toContain('architect answered:\n\n> PostgreSQL.');
    agentx(cwd, ['clarify', 'resolve', 'CLR-1-001', '-m', 'Clear.']);
    expect(adrOf(cwd)).toBe(first);
    // An author who writes the artifact anew does not make it forget: the next answer brings all of it back.
    writeFileSync(join(cwd, 'docs/adr/ADR-1.md'), ADR);
    agentx(cwd, [...ask, '--topic', 'cache', '-q', 'How long may a cached entry live?']);
    agentx(cwd, ['clarify', 'resolve', 'CLR-1-002', '-m', 'Clear.']);
    expect(adrOf(cwd).match(/^### CLR-1-00\d/gm)).toEqual(['### CLR-1-001', '### CLR-1-002']);
  });

  it('adds what a person decided, also after the process was killed anywhere on the way [X-14/1]', async () => {
    const cwd = await aProject('[agents.architect]\nrunner = "human"\n');
    const { stdout } = agentx(cwd, [...ask, '--topic', 'db', '-q', 'Which database shall it be?']);
    const id = /oq-\w+/.exec(stdout)?.[0] ?? '';
    for (const delayMs of [0, 120, 240, 360]) {
      const answering = spawnAgentx(cwd, ['inbox', 'answer', id, '-m', 'MariaDB']);
      setTimeout(() => answering.kill(), delayMs);
      await answering.ended;
    }
    await startAgentx(cwd, ['inbox', 'answer', id, '-m', 'MariaDB']);
    await startAgentx(cwd, ['ready']);
    expect(adrOf(cwd).match(/ada decided:\n\n> MariaDB/g)).toHaveLength(1);
    expect(adrOf(cwd).match(/^### CLR-1-001/gm)).toHaveLength(1);
  });

  it('changes what it added when an answer comes after the fallback, or is rejected [X-14/2]', async () => {
    const cwd = await aProject(commandAgent('architect'));
    const inbox = await openInbox(cwd, { fallbackMs: 1 });
    const { id } = await inbox.ask({
      parts: [
        {
          id: 'q1',
          text: 'Which port?',
          options: [
            { id: 'a', label: '8080' },
            { id: 'b', label: '9090' },
          ],
        },
      ],
      fallback: { optionId: 'a', reasoning: 'usual', risk: 'low' },
    });
    agentx(cwd, ['ready']);
    expect(adrOf(cwd)).toContain('the declared fallback was taken:\n\n> 8080');
    agentx(cwd, ['inbox', 'answer', id, '--option', 'b']);
    expect(adrOf(cwd)).toContain('ada answered late:\n\n> 9090');
    expect(adrOf(cwd)).not.toContain('> 8080');
    expect(adrOf(cwd).match(new RegExp(`^### ${id}`, 'gm'))).toHaveLength(1);
    agentx(cwd, ['assumptions', 'reject', 'ASM-1-001', '-m', 'Take 7070.']);
    expect(adrOf(cwd)).toContain('ada rejected what was assumed:\n\n> Take 7070.');
  });

  it('keeps what a person wrote by hand, with its line ends, beside what is added [X-14/1] [X-14/2]', async () => {
    const cwd = await aProject('[agents.architect]\nrunner = "human"\n');
    const path = join(cwd, 'docs/adr/ADR-1.md');
    const own = '# ADR 1\r\n\r\n## Decision\r\n\r\nOne adapter per database.';
    writeFileSync(path, own);
    const askAndAnswer = (topic: string, answer: string) => {
      const { stdout } = agentx(cwd, [...ask, '--topic', topic, '-q', `Which ${topic} shall it be?`]);
      agentx(cwd, ['inbox', 'answer', /oq-\w+/.exec(stdout)?.[0] ?? '', '-m', answer]);
    };
    askAndAnswer('database', 'MariaDB');
    const first = adrOf(cwd);
    expect(first.startsWith(`${own}\r\n\r\n## Clarifications\r\n`)).toBe(true);
    expect(first.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    const edited = `${first.replace('One adapter', 'Just one adapter')}\r\nWe measured that.\n`;
    writeFileSync(path, edited);
    for (let time = 0; time < 2; time++) agentx(cwd, ['ready']);
    expect(adrOf(cwd)).toBe(edited);
    askAndAnswer('cache', 'Redis');
    expect(adrOf(cwd).startsWith(edited.trimEnd())).toBe(true);
    expect(adrOf(cwd).match(/^### CLR-1-00\d/gm)).toEqual(['### CLR-1-001', '### CLR-1-002']);
    expect(adrOf(cwd).match(/We measured that\./g)).toHaveLength(1);
  });

  it('names a Markdown file of the repository', async () => {
    for (const path of ['../out.md', '.git/x.md', '.agentx/x.md', '/etc/x.md', 'src/code.ts']) {
      const cwd = await aProject(commandAgent('architect'), path);
      const { status, stderr } = agentx(cwd, [...ask, '--topic', 'db', '-q', 'Which database shall it be?']);
      expect(status, path).toBe(2);
      expect(stderr.replace(/\s+/g, ' '), path).toContain(
        "'writes_answers' of step 'implement' must name a Markdown file",
      );
    }
  });
});
