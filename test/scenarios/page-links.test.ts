import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeSampleProject } from '../../scripts/sample-project.mjs';
import { serveRepository } from '../browser/support/server.js';
import { agentProgram, commandAgent } from './support/agents.js';
import { agentx, aRepository } from './support/agentx.js';
import { aRunnable } from './support/runs.js';

const CODER = agentProgram(`
  const [answer] = brief.answers ?? [];
  if (answer === undefined) reply({ status: 'failed', open_questions: [{ id: 'q1', text: 'Which endpoint?' }] });
  else reply({ status: 'done' });
`);

function aProject(): Promise<string> {
  return aRunnable({
    steps: '[[steps]]\nid = "implement"\ntitle = "Implement"\nagent = "coder"\n',
    config: commandAgent('coder'),
    files: { 'coder.mjs': CODER },
  });
}

/** The links that a command prints, wherever it prints them. */
function linksOf(cwd: string, args: readonly string[]): readonly string[] {
  const { stdout, stderr } = agentx(cwd, args);
  return [...`${stdout}\n${stderr}`.matchAll(/http:\/\/\S+/g)].map(([link]) => link);
}

describe('links to the page', () => {
  it('are printed while a server runs, and lead there', async () => {
    const cwd = await aProject();
    expect(linksOf(cwd, ['ready'])).toEqual([]);
    const served = await serveRepository(cwd);
    const ran = agentx(cwd, ['run', '1', '--no-wait']);
    const { id } = (agentx(cwd, ['inbox', '--json']).json() as { questions: { id: string }[] }).questions[0] ?? {};
    expect(ran.stdout).toContain(`  Or on the page:\n  ${served.url}/inbox/${id}`);
    expect(ran.stderr).toContain(`On the page: ${served.url}/inbox`);
    const [week] = linksOf(cwd, ['digest']);
    expect(week).toMatch(/\/digest\/\d{4}-W\d\d$/);
    expect(linksOf(cwd, ['inbox'])).toEqual([`${served.url}/inbox/${id}`]);
    expect(linksOf(cwd, ['inbox', 'show', id ?? ''])).toEqual([`${served.url}/inbox/${id}`]);
    expect(linksOf(cwd, ['ready'])).toEqual([`${served.url}/board`]);
    for (const link of [week ?? '', `${served.url}/inbox/${id}`, `${served.url}/board`]) {
      expect((await fetch(link)).headers.get('content-type')).toContain('text/html');
    }
    expect(agentx(cwd, ['doctor']).status).toBe(0);
  });

  it('hold no key, and are no part of what programs read', async () => {
    const cwd = await aProject();
    const served = await serveRepository(cwd);
    agentx(cwd, ['run', '1', '--no-wait']);
    for (const args of [['inbox'], ['ready'], ['digest'], ['state']]) {
      const { stdout, stderr } = agentx(cwd, [...args, '--json']);
      expect(stdout + stderr).not.toContain('http');
      expect(agentx(cwd, args).stderr).not.toContain(served.token);
      expect(agentx(cwd, [...args, '--quiet']).stderr).toBe('');
    }
  });

  it('are not printed when the server has stopped, or was killed', async () => {
    const cwd = await aProject();
    const stopped = await serveRepository(cwd);
    await stopped.stop();
    expect(linksOf(cwd, ['ready'])).toEqual([]);
    const killed = await serveRepository(cwd);
    expect(linksOf(cwd, ['ready'])).toEqual([`${killed.url}/board`]);
    await killed.kill();
    expect(linksOf(cwd, ['ready'])).toEqual([]);
    const next = await serveRepository(cwd);
    expect(linksOf(cwd, ['ready'])).toEqual([`${next.url}/board`]);
  });

  it('lead to a conversation, and to the question it became', async () => {
    const cwd = await aRepository();
    writeSampleProject(join(cwd, '.agentx'), { projectId: 'shop' });
    const served = await serveRepository(cwd);
    expect(linksOf(cwd, ['clarify', 'show', 'CLR-42-003'])).toEqual([`${served.url}/asks/CLR-42-003`]);
    expect(linksOf(cwd, ['clarify'])).toEqual([`${served.url}/asks`]);
    expect(linksOf(cwd, ['assumptions'])).toEqual([`${served.url}/assumptions`]);
    const escalated = linksOf(cwd, ['clarify', 'escalate', 'CLR-42-003', '-m', 'Nobody knows.']);
    expect(escalated).toEqual([expect.stringMatching(/\/inbox\/oq-[0-9a-f]{16}$/)]);
    const id = escalated[0]?.split('/').at(-1) ?? '';
    expect(await served.stored(id)).toMatchObject({ sourceId: 'CLR-42-003', status: 'open' });
  });
});
