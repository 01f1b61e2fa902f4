import fc from 'fast-check';
import { finishWork, setStatus, startWork } from '../../src/board/agent-status.js';
import { closeIssue, commentIssue, createIssue, reopenIssue } from '../../src/board/issues.js';
import { readyQueue } from '../../src/board/ready.js';
import { answer } from '../../src/hub/answer.js';
import { openAsk } from '../../src/hub/ask.js';
import { ask, followUp } from '../../src/hub/conversation.js';
import { escalate } from '../../src/hub/escalate.js';
import { resolve } from '../../src/hub/resolve.js';
import { answerQuestion } from '../../src/inbox/answer-question.js';
import { declineQuestion, dismissQuestion } from '../../src/inbox/end-question.js';
import { runCheck } from '../../src/monitor/sweep.js';
import type { TestHub } from '../builders/hub.js';

/*
 * Commands as data, so that a failing sequence can be read and shrunk. Ids are drawn from a small range: most name
 * something that is there, some do not, and some are nonsense.
 */

export interface Command {
  readonly name: string;
  readonly run: (hub: TestHub) => Promise<unknown>;
}

const named = (name: string, run: Command['run']): Command => ({ name, run });

const BY = { principal: 'ada', channel: 'cli' } as const;

const agent = fc.constantFrom('engineer', 'architect', 'product-manager', 'reviewer', 'ux-designer', 'pm', 'nobody');
const issue = fc.constantFrom(1, 1, 1, 1, 2, 2, 9);
/** Mostly one that exists: a person who types an id has seen it somewhere. */
const pick = fc.oneof({ arbitrary: fc.nat(3), weight: 8 }, fc.constantFrom('CLR-9-001', 'CLR-1-x'));
type Pick = typeof pick extends fc.Arbitrary<infer T> ? T : never;

async function idOf(hub: TestHub, picked: Pick): Promise<string> {
  if (typeof picked === 'string') return picked;
  const ledgers = await Promise.all([1, 2].map((number) => hub.store.ledgers.read(number)));
  return ledgers.flatMap(({ clarifications }) => clarifications)[picked]?.id ?? 'CLR-1-001';
}

const actor = fc.constantFrom('engineer', 'architect', 'product-manager', 'human', 'human');
const text = fc.constantFrom(
  'Which adapter is it?',
  'Which adapter is it, please?',
  'And in CI?',
  '',
  'x'.repeat(2001),
  '\u001b[2J\ud800',
);
const topic = fc.constantFrom('Adapter', 'Adapter', 'Adapter', 'Retention', 'Retention', '', '__proto__');

/** Most requesters may ask, and ask an agent that may be asked. */
const asker = fc.oneof(
  { arbitrary: fc.constantFrom('engineer', 'engineer', 'engineer', 'architect'), weight: 6 },
  agent,
);
const target = fc.oneof({ arbitrary: fc.constantFrom('architect', 'architect', 'pm', 'engineer'), weight: 6 }, agent);
const request = fc.record({
  issueNumber: issue,
  from: asker,
  to: target,
  topic,
  question: text,
  blocking: fc.boolean(),
});

const asking = request.map((sent) => named(`ask ${JSON.stringify(sent)}`, (hub) => ask(hub, sent)));

/** What a process leaves behind if it is killed while the target thinks. */
const killedAsking = request
  .map((sent) => ({ ...sent, topic: sent.topic || 'Load', question: sent.question.slice(0, 20) || 'How much?' }))
  .map((sent) => named(`killed ask ${JSON.stringify(sent)}`, (hub) => openAsk(hub, sent)));

const following = fc
  .tuple(pick, text, actor)
  .map(([picked, question, by]) =>
    named(`follow-up ${picked} by ${by}: ${question.slice(0, 30)}`, async (hub) =>
      followUp(hub, { clarificationId: await idOf(hub, picked), question, by }),
    ),
  );

const answering = fc
  .tuple(pick, text, actor)
  .map(([picked, body, by]) =>
    named(`answer ${picked} by ${by}: ${body.slice(0, 30)}`, async (hub) =>
      answer(hub, { clarificationId: await idOf(hub, picked), answer: body, by }),
    ),
  );

const resolving = fc
  .tuple(pick, text, actor)
  .map(([picked, body, by]) =>
    named(`resolve ${picked} by ${by}`, async (hub) =>
      resolve(hub, { clarificationId: await idOf(hub, picked), body, by }),
    ),
  );

const escalating = fc
  .tuple(pick, text)
  .map(([picked, reason]) =>
    named(`escalate ${picked}`, async (hub) => escalate(hub, { clarificationId: await idOf(hub, picked), reason })),
  );

/** The question is chosen among the existing ones, ended ones too, as by a person who reads the inbox first. */
const deciding = fc
  .record({
    index: fc.nat(2),
    verb: fc.constantFrom('answer', 'answer', 'decline', 'dismiss'),
    optionIds: fc.constantFrom(['a'], ['b'], ['z'], ['a', 'b']),
    text: fc.option(text, { nil: undefined }),
    revision: fc.constantFrom(undefined, undefined, 1, 2),
  })
  .map(({ index, verb, optionIds, text: words, revision }) =>
    named(`inbox ${verb} ${index} ${optionIds} ${words?.slice(0, 30)} ${revision}`, async (hub) => {
      const open = (await hub.store.questions.list()).items;
      const act = { id: open[index]?.id ?? 'oq-none', by: BY, ...(revision === undefined ? {} : { revision }) };
      if (verb === 'decline') return declineQuestion(hub, act);
      if (verb === 'dismiss') return dismissQuestion(hub, act);
      return answerQuestion(hub, { ...act, optionIds, ...(words === undefined ? {} : { text: words }) });
    }),
  );

const working = fc
  .record({
    verb: fc.constantFrom('start', 'finish', 'finish', 'idle', 'working', 'done', 'stuck', 'clarifying'),
    agent: asker,
    issue: fc.option(issue, { nil: undefined }),
  })
  .map(({ verb, agent: name, issue: number }) => {
    const work = number === undefined ? { agent: name } : { agent: name, issue: number };
    return named(`${verb} ${name} ${number}`, (hub) => {
      if (verb === 'start') return startWork(hub, work);
      if (verb === 'finish') return finishWork(hub, work);
      return setStatus(hub, { ...work, status: verb });
    });
  });

const filing = fc
  .tuple(fc.constantFrom('create', 'comment', 'close', 'reopen'), issue, text)
  .map(([verb, number, body]) =>
    named(`issue ${verb} ${number} ${body.slice(0, 30)}`, (hub) => {
      if (verb === 'create') return createIssue(hub, { title: body.slice(0, 100), body: `Blocked-by: #${number}` });
      if (verb === 'comment') return commentIssue(hub, { number, body });
      return verb === 'close' ? closeIssue(hub, number) : reopenIssue(hub, number);
    }),
  );

const sweeping = fc
  .boolean()
  .map((retry) => named(`sweep${retry ? '' : ' --no-retry'}`, (hub) => runCheck(hub, { retry })));

const looking = fc.constant(named('ready', (hub) => readyQueue(hub)));

export const command: fc.Arbitrary<Command> = fc.oneof(
  { arbitrary: asking, weight: 4 },
  { arbitrary: killedAsking, weight: 5 },
  { arbitrary: following, weight: 3 },
  { arbitrary: answering, weight: 2 },
  { arbitrary: resolving, weight: 2 },
  { arbitrary: escalating, weight: 2 },
  { arbitrary: deciding, weight: 3 },
  { arbitrary: working, weight: 3 },
  { arbitrary: filing, weight: 1 },
  { arbitrary: sweeping, weight: 3 },
  { arbitrary: looking, weight: 1 },
);

const sound = { issueNumber: 1, from: 'engineer', topic: 'Adapter', question: 'Which adapter is it?', blocking: true };
const openings = {
  waiting: named('killed ask', (hub) => openAsk(hub, { ...sound, to: 'architect' })),
  answered: named('ask', (hub) => ask(hub, { ...sound, to: 'architect' })),
  escalated: named('ask who says nothing', (hub) => ask(hub, { ...sound, to: 'product-manager' })),
  outdated: named('inbox answer to another revision', async (hub) => {
    const [question] = (await hub.store.questions.list()).items;
    return answerQuestion(hub, { id: question?.id ?? 'oq-none', by: BY, optionIds: ['a'], revision: 9 });
  }),
  left: named('finish', (hub) => finishWork(hub, { agent: 'engineer', issue: 1 })),
};

/** How a sequence begins: most have some records first, so that ids name something. */
export const opening: fc.Arbitrary<readonly Command[]> = fc.constantFrom(
  [],
  [openings.waiting],
  [openings.answered],
  [openings.escalated],
  [openings.waiting, openings.escalated],
  [openings.answered, openings.escalated],
  [openings.escalated, openings.outdated],
  [openings.waiting, openings.left],
);
