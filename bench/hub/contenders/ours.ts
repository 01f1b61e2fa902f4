import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEventBus } from '../../../src/app/event-bus.js';
import { createLog } from '../../../src/app/log.js';
import { openWorkflows } from '../../../src/app/workflows.js';
import { ask } from '../../../src/hub/conversation.js';
import type { RoutePorts } from '../../../src/hub/ports.js';
import { resolve } from '../../../src/hub/resolve.js';
import { answerQuestion } from '../../../src/inbox/answer-question.js';
import { KNOWN_AGENTS } from '../../../src/protocol/ids.js';
import { openQuestion } from '../../../src/protocol/question-transition.js';
import { layoutOf } from '../../../src/storage/files/layout.js';
import { openFileStore } from '../../../src/storage/files/store.js';
import { SHIPPED_WORKFLOWS } from '../../../src/workflow/shipped/workflows.js';
import type { Contender, Place } from '../contender.js';
import { ANSWER, cyclesPerDocument, QUESTION, questionNumber, RESOLUTION, TOPIC } from '../work.js';

/** The hub as the product has it, with an architect that answers at once. */
export const clarificationCycle: Contender = {
  async open(place) {
    const ports = openHub(place.folder);
    const issueOf = issuesFor(place);
    return {
      async cycle(lane) {
        const issueNumber = issueOf(lane);
        const request = { issueNumber, from: 'engineer', to: 'architect', topic: TOPIC, question: QUESTION };
        const { clarificationId } = await ask(ports, { ...request, blocking: true });
        await resolve(ports, { clarificationId, by: 'engineer', body: RESOLUTION });
      },
    };
  },
};

/** A question to a human who answers at once. */
export const questionCycle: Contender = {
  async open({ folder }) {
    const ports = openHub(folder);
    let count = 0;
    return {
      async cycle() {
        const { question } = openQuestion(questionNumber(`oq-${count++}`, ports.clock.now()));
        const { id } = await ports.store.questions.create(question);
        const by = { principal: 'ada', channel: 'cli' as const };
        await answerQuestion(ports, { id, by, revision: 1, questionId: 'q1', optionIds: ['a'] });
      },
    };
  },
};

/** The issue of a lane's next cycle. Issues exist before the measurement, as they do before an agent asks. */
function issuesFor(where: Place): (lane: number) => number {
  const { folder, lanes, isShared } = where;
  const issues = layoutOf(join(folder, '.agentx')).issues;
  mkdirSync(issues, { recursive: true });
  for (let number = 1; number <= ISSUES; number++) writeFileSync(join(issues, `${number}.json`), issueText(number));
  const cycles: number[] = [];
  return (lane) => {
    const place = isShared ? 0 : lane;
    const count = cycles[place] ?? 0;
    cycles[place] = count + 1;
    const document = Math.floor(count / cyclesPerDocument(where));
    return 1 + ((place + document * (isShared ? 1 : lanes)) % ISSUES);
  };
}

const ISSUES = 2_000;

function issueText(number: number): string {
  const at = '2026-02-26T10:00:00Z';
  const issue = { number, title: TOPIC, body: QUESTION, labels: ['type:feature'], status: 'Backlog', state: 'open' };
  const task = { assignee: null, taskStatus: 'open', block_reason: null, created: at, updated: at, comments: [] };
  return JSON.stringify({ ...issue, ...task }, null, 2);
}

function openHub(repository: string): RoutePorts {
  const root = join(repository, '.agentx');
  mkdirSync(join(root, 'workflows'), { recursive: true });
  writeFileSync(join(root, 'workflows', 'feature.toml'), SHIPPED_WORKFLOWS.feature);
  return {
    store: openFileStore({ root }),
    bus: createEventBus(),
    clock: { now: () => new Date().toISOString(), sleep: async (milliseconds) => void (await sleep(milliseconds)) },
    log: createLog({ folder: join(root, 'state', 'logs') }),
    runnerFor: () => ({ run: async () => ({ answer: ANSWER }) }),
    workflows: openWorkflows({ root, agents: KNOWN_AGENTS }),
    artifacts: { read: async () => [] },
    roles: { of: async () => undefined },
    agents: KNOWN_AGENTS,
    settings: {
      autonomy: {
        scopeChanges: 'requires_approval',
        architectureDecisions: 'requires_approval',
        dependencyModifications: 'automated',
      },
    },
    retryMs: 0,
    projectId: 'bench',
  };
}
