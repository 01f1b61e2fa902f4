import { describe, expect, it } from 'vitest';
import { aRunHub, steps } from '../../test/builders/run-ports.js';
import { AgentXError } from '../protocol/errors.js';
import { runIssue } from './run-issue.js';

type Turns = NonNullable<NonNullable<Parameters<typeof aRunHub>[0]>['turns']>;

const TREE = { branch: 'agentx/issue-1', base: '0123456789abcdef', inside: '' };
const WORKFLOW = steps({ id: 'implement', agent: 'engineer', output: 'out.md' });

async function aHub(turns: Turns) {
  const hub = await aRunHub({ workflow: WORKFLOW, turns });
  const calls: string[] = [];
  let problem: string | undefined;
  const workTrees = {
    isWanted: true,
    plan: async () => TREE,
    open: async (_: string, tree: typeof TREE, { hasBegun }: { hasBegun: boolean }) => {
      calls.push(`open ${tree.branch}${hasBegun ? ' again' : ''}`);
      return hasBegun ? undefined : 'Not committed: a.txt.';
    },
    commit: async (_: string, __: typeof TREE, message: string) => {
      calls.push(`commit ${message}`);
      return problem;
    },
    folderOf: (id: string) => `trees/${id}`,
  };
  const fail = (why: string) => {
    problem = why;
  };
  return { hub: { ...hub, workTrees }, calls, fail };
}

describe('a run with a work tree', () => {
  it('is planned before it begins, opened, and committed at its end', async () => {
    const { hub, calls } = await aHub({ engineer: [{ text: 'Done.', artifacts: [{ path: 'out.md', content: 'x' }] }] });
    const result = await runIssue(hub, { issueNumber: 1, wait: false });
    expect(result).toMatchObject({ status: 'done', branch: { name: TREE.branch, base: TREE.base } });
    expect(calls).toEqual(['open agentx/issue-1', expect.stringMatching(/^commit .+ \(#1\)$/)]);
    const started = hub.bus.events.find(({ name }) => name === 'run-started');
    expect(started?.payload).toMatchObject({ notice: 'Not committed: a.txt.', branch: { name: TREE.branch } });
    expect((await hub.store.runs.read(1))?.workTree).toEqual(TREE);
  });

  it('stays on its branch when it goes on, and names its folder to a person who has to look there', async () => {
    const { hub, calls } = await aHub({ engineer: [{ status: 'done', text: 'Done.', assumptions: [] }] });
    const paused = await runIssue(hub, { issueNumber: 1, wait: false });
    expect(paused.status).toBe('paused');
    const question = await hub.store.questions.read(paused.waitingOn[0] ?? '');
    expect(question?.questions[0]?.text).toContain(`is not there (in trees/${paused.runId})`);
    const here = runIssue(hub, { issueNumber: 1, wait: false, here: true });
    await expect(here).rejects.toMatchObject({ code: 'INVALID_STATE' });
    await runIssue({ ...hub, workTrees: { ...hub.workTrees, isWanted: false } }, { issueNumber: 1, wait: false });
    expect(calls.filter((call) => call.startsWith('open'))).toEqual([
      'open agentx/issue-1',
      'open agentx/issue-1 again',
    ]);
  });

  it('works in the folder of the repository with here, and nothing begins where git gives no tree', async () => {
    const { hub, calls } = await aHub({ engineer: [{ text: 'Done.', artifacts: [{ path: 'out.md', content: 'x' }] }] });
    const plan = async (): Promise<typeof TREE> => {
      throw new AgentXError('CONFIG_ERROR', 'needs git');
    };
    const without = { ...hub, workTrees: { ...hub.workTrees, plan } };
    await expect(runIssue(without, { issueNumber: 1, wait: false })).rejects.toMatchObject({ code: 'CONFIG_ERROR' });
    expect(await hub.store.runs.read(1)).toBeUndefined();
    const result = await runIssue(without, { issueNumber: 1, wait: false, here: true });
    expect(result.status).toBe('done');
    expect(result.branch).toBeUndefined();
    expect(calls).toEqual([]);
  });

  it('is done although its work could not be committed, and says so', async () => {
    const { hub, fail } = await aHub({ engineer: [{ text: 'Done.', artifacts: [{ path: 'out.md', content: 'x' }] }] });
    fail('the disk is full');
    const result = await runIssue(hub, { issueNumber: 1, wait: false });
    expect(result).toMatchObject({ status: 'done', notice: expect.stringContaining('the disk is full') });
  });
});
