import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finishWork, setStatus, startWork } from '../../src/board/agent-status.js';
import { answer } from '../../src/hub/answer.js';
import { ask, followUp } from '../../src/hub/conversation.js';
import { escalate } from '../../src/hub/escalate.js';
import { resolve } from '../../src/hub/resolve.js';
import { answerQuestion } from '../../src/inbox/answer-question.js';
import { declineQuestion } from '../../src/inbox/end-question.js';
import { runCheck } from '../../src/monitor/sweep.js';
import type { Store } from '../../src/ports/store.js';
import { AgentXError } from '../../src/protocol/errors.js';
import { escalationQuestionId } from '../../src/protocol/ids.js';
import { openFileStore } from '../../src/storage/files/store.js';
import { openInMemoryStore } from '../../src/storage/in-memory/store.js';
import { aHub, aWorkflow, fixedClock, type TestHub } from '../builders/hub.js';
import { anIssue } from '../builders/issue.js';
import { agentx, aRepository } from './support/agentx.js';

/** One command twice: as it is typed, and as the use cases that it stands for. */
interface Pair {
  readonly args: readonly string[];
  readonly as?: string;
  readonly model: (hub: TestHub) => Promise<{ readonly status?: string } | unknown>;
}

const WORKFLOW = `[workflow]
name = "story"
type = "story"
[[steps]]
id = "build"
title = "Build"
agent = "engineer"
can_clarify = ["architect"]
clarify_max_rounds = 2
[[steps]]
id = "review"
title = "Review"
agent = "reviewer"
needs = ["build"]
can_clarify = ["engineer"]
`;
const STEPS = [
  { id: 'build', title: 'Build', agent: 'engineer', can_clarify: ['architect'], clarify_max_rounds: 2 },
  { id: 'review', title: 'Review', agent: 'reviewer', needs: ['build'], can_clarify: ['engineer'] },
];
const BY = { principal: 'ada', channel: 'cli' } as const;

const id = fc.constantFrom('CLR-1-001', 'CLR-1-001', 'CLR-1-002');
const agent = fc.constantFrom('engineer', 'reviewer', 'architect');
const word = fc.constantFrom('adapters', 'pooling', 'migrations', 'backups');

/** Verbs of `clarify` look at everything first. */
const swept =
  <T>(work: (hub: TestHub) => Promise<T>) =>
  async (hub: TestHub) => {
    await runCheck(hub);
    return work(hub);
  };

const pair: fc.Arbitrary<Pair> = fc.oneof(
  fc.tuple(agent, agent, word).map(([from, to, topic]): Pair => {
    const question = `What of ${topic}?`;
    return {
      args: ['ask', '--issue', '1', '--from', from, '--to', to, '--topic', topic, '-q', question],
      model: (hub) => ask(hub, { issueNumber: 1, from, to, topic, question, blocking: true }),
    };
  }),
  fc.constant<Pair>({
    args: ['ask', '--issue', '1', '--from', 'engineer', '--to', 'architect', '--topic', 'T', '-q', 'Q'],
    model: (hub) =>
      ask(hub, { issueNumber: 1, from: 'engineer', to: 'architect', topic: 'T', question: 'Q', blocking: true }),
  }),
  fc.tuple(id, word, agent).map(([clarificationId, topic, by]): Pair => {
    const question = `And what of ${topic}?`;
    return {
      args: ['clarify', 'follow-up', clarificationId, '-q', question],
      as: by,
      model: swept((hub) => followUp(hub, { clarificationId, question, by })),
    };
  }),
  fc.tuple(id, word).map(
    ([clarificationId, text]): Pair => ({
      args: ['clarify', 'answer', clarificationId, '-m', text],
      model: async (hub) => {
        const result = await answer(hub, { clarificationId, answer: text, by: 'human' });
        await runCheck(hub);
        return result;
      },
    }),
  ),
  fc.tuple(id, word).map(
    ([clarificationId, body]): Pair => ({
      args: ['clarify', 'resolve', clarificationId, '-m', body],
      model: swept((hub) => resolve(hub, { clarificationId, body, by: 'human' })),
    }),
  ),
  fc.tuple(id, word).map(
    ([clarificationId, reason]): Pair => ({
      args: ['clarify', 'escalate', clarificationId, '-m', reason],
      model: swept((hub) => escalate(hub, { clarificationId, reason })),
    }),
  ),
  fc.tuple(id, fc.constantFrom(1, 2), fc.boolean()).map(([clarificationId, round, declines]): Pair => {
    const question = escalationQuestionId(clarificationId, round);
    return {
      args: declines ? ['inbox', 'decline', question] : ['inbox', 'answer', question, '--option', 'b'],
      model: async (hub) => {
        const act = { id: question, by: BY };
        await (declines ? declineQuestion(hub, act) : answerQuestion(hub, { ...act, optionIds: ['b'] }));
      },
    };
  }),
  fc.tuple(agent, fc.constantFrom('start', 'finish')).map(
    ([name, phase]): Pair => ({
      args: ['hook', phase, name, '1'],
      model: async (hub) => {
        await (phase === 'start' ? startWork : finishWork)(hub, { agent: name, issue: 1 });
        await runCheck(hub);
      },
    }),
  ),
  fc.tuple(agent, fc.constantFrom('idle', 'done', 'stuck')).map(
    ([name, status]): Pair => ({
      args: ['state', 'set', name, status, '--issue', '1'],
      model: async (hub) => {
        await setStatus(hub, { agent: name, status, issue: 1 });
      },
    }),
  ),
);

describe('any sequence of commands that are typed', () => {
  it('ends like the model: exit codes, threads, questions and statuses', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(pair, { minLength: 3, maxLength: 8 }), async (pairs) => {
        const cwd = await team();
        const model = openInMemoryStore();
        await model.issues.create(anIssue({ title: 'Orders' }));
        for (const [index, one] of pairs.entries()) {
          const { status, stderr } = agentx(
            cwd,
            one.args,
            one.as === undefined ? {} : { env: { AGENTX_AGENT: one.as } },
          );
          const expected = await exitOf(one, await hubAt(model, index));
          expect(status, `${one.args.join(' ')}: ${stderr}`).toBe(expected);
        }
        expect(await stateOf(openFileStore({ root: `${cwd}/.agentx` }))).toEqual(await stateOf(model));
      }),
      // Each command is a process of its own; the thousands are in test/properties.
      { numRuns: 15, endOnFailure: true },
    );
  });
});

async function team(): Promise<string> {
  const agents = ['engineer', 'architect', 'reviewer'];
  const turns = agents.map((name) => `[[turns]]\nagent = "${name}"\ntimes = 0\nanswer = "The ${name} has spoken."\n`);
  return aRepository({
    issues: [{ title: 'Orders' }],
    config: agents.map((name) => `[agents.${name}]\nrunner = "script"\nscript = "turns.toml"\n`).join(''),
    files: { '.agentx/workflows/story.toml': WORKFLOW, 'turns.toml': turns.join('') },
  });
}

async function hubAt(store: Store, index: number): Promise<TestHub> {
  const clock = fixedClock(new Date(Date.parse('2026-02-26T10:00:00.000Z') + index * 1000).toISOString());
  return aHub({ store, issues: 0, clock, workflow: aWorkflow(STEPS), remembers: true });
}

const WAITS_FOR_A_HUMAN = 3;

async function exitOf({ model, as, args }: Pair, hub: TestHub): Promise<number> {
  try {
    const result = await model(hub);
    const isEscalated =
      typeof result === 'object' && result !== null && 'status' in result && result.status === 'escalated';
    return isEscalated ? WAITS_FOR_A_HUMAN : 0;
  } catch (error) {
    if (!(error instanceof AgentXError)) throw error;
    if (error.code === 'MAX_ROUNDS_EXCEEDED') return WAITS_FOR_A_HUMAN;
    // The same answer a second time is no error at the command line.
    if (args[1] === 'answer' && as === undefined && (await saysAlready(hub.store, args))) return 0;
    return error.exitCode;
  }
}

async function saysAlready(store: Store, [noun, , clarificationId, , text]: readonly string[]): Promise<boolean> {
  const record = (await store.ledgers.read(1)).clarifications.find((one) => one.id === clarificationId);
  const last = record?.thread.at(-1);
  return noun === 'clarify' && last?.type === 'answer' && last.from === 'human' && last.body === text;
}

/** Everything but the times. */
async function stateOf(store: Store) {
  const { clarifications } = await store.ledgers.read(1);
  const questions = (await store.questions.list()).items;
  // An agent that answers at once may never be seen at it: then it has no entry, which says idle too.
  const statuses = Object.entries(await store.statuses.read()).filter(([, { status }]) => status !== 'idle');
  const { assumptions_made: assumptions } = await store.assumptions.read(1);
  const issue = await store.issues.read(1);
  return {
    records: clarifications.map(
      ({ id: recordId, from, to, topic, status, round, maxRounds, blocking, outcome, thread }) => ({
        recordId,
        from,
        to,
        topic,
        status,
        round,
        maxRounds,
        blocking,
        outcome,
        thread: thread.map(({ from: by, type, round: inRound, body }) => ({ by, type, said: inRound, body })),
      }),
    ),
    questions: questions
      .map(({ id: questionId, status, outcome, revision, responses }) => ({
        questionId,
        status,
        outcome,
        revision,
        responses,
      }))
      .toSorted((left, right) => (left.questionId < right.questionId ? -1 : 1)),
    statuses: Object.fromEntries(
      statuses.map(([name, { status, issue: on, clarificationId, waitingOn, respondingTo }]) => [
        name,
        { status, on, clarificationId, waitingOn, respondingTo },
      ]),
    ),
    assumptions: assumptions.map(({ id: assumptionId, decision }) => ({ assumptionId, decision })),
    issue: { taskStatus: issue?.taskStatus, assignee: issue?.assignee },
  };
}
