import type { ClarificationRecord } from '../protocol/clarification.js';
import { HUMAN, parseClarificationId } from '../protocol/ids.js';
import { columnsOf, cutTo } from './columns.js';
import { type Paint, UNPAINTED } from './conversation.js';
import { plainLine } from './plain-text.js';
import { wrapLine } from './wrap-line.js';

/** One agent that waits on one issue for another agent or for a human. */
export interface Wait {
  readonly from: string;
  readonly to: string;
  readonly issueNumber: number;
  readonly clarificationId: string;
  readonly topic: string;
  readonly status: ClarificationRecord['status'];
  /** Whether it is part of a cycle, in which no agent can go on. */
  readonly isInCycle: boolean;
}

/** The wait-for graph of blocking clarifications. The requester of an escalated one waits for a human. */
export function waitsOf(records: readonly ClarificationRecord[]): readonly Wait[] {
  const edges = records.flatMap((record) => {
    const to = whoIsWaitedFor(record);
    return to === undefined ? [] : [{ record, from: record.from, to }];
  });
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of edges) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  return edges.map(({ record, from, to }) => ({
    from,
    to,
    issueNumber: parseClarificationId(record.id).issueNumber,
    clarificationId: record.id,
    topic: record.topic,
    status: record.status,
    isInCycle: leadsTo(targets, to, from),
  }));
}

/** A tree for each agent that no other agent waits for. Agents in cycles come last, with the cycle marked. */
export function renderWaitGraph(waits: readonly Wait[], view: Partial<Page> = {}): string {
  const targets = new Set(waits.map(({ to }) => to));
  const agents = [...new Set(waits.map(({ from }) => from))];
  const drawing = new Drawing(waits, { paint: UNPAINTED, width: Number.POSITIVE_INFINITY, ...view });
  for (const agent of agents) if (!targets.has(agent)) drawing.addTree(agent);
  for (const agent of agents) drawing.addTree(agent);
  return drawing.lines.join('\n');
}

interface Page {
  readonly paint: Paint;
  readonly width: number;
}

const MIN_TOPIC_WIDTH = 12;
const MIN_TEXT_WIDTH = 20;

/** Draws every wait once: an agent that was drawn before is only referred to. */
class Drawing {
  readonly lines: string[] = [];
  readonly #drawn = new Set<string>();

  constructor(
    private readonly waits: readonly Wait[],
    private readonly page: Page,
  ) {}

  addTree(agent: string): void {
    if (this.#drawn.has(agent)) return;
    this.lines.push(this.page.paint.name(agent));
    this.#addBranches(agent, '', [agent]);
  }

  #addBranches(agent: string, prefix: string, path: readonly string[]): void {
    this.#drawn.add(agent);
    const ownWaits = this.waits.filter(({ from }) => from === agent);
    ownWaits.forEach((wait, index) => {
      const isLast = index === ownWaits.length - 1;
      const branch = `${prefix}${isLast ? '`-- ' : '+-- '}`;
      const [line = '', ...linesBelow] = this.#describe(wait, path, this.page.width - branch.length);
      const margin = `${prefix}${isLast ? '    ' : '|   '}`;
      this.lines.push(`${branch}${line}`, ...linesBelow.map((text) => `${margin}  ${text}`));
      if (this.#drawn.has(wait.to)) return;
      this.#addBranches(wait.to, margin, [...path, wait.to]);
    });
  }

  /** One line if it fits; otherwise the subject stands below. */
  #describe(wait: Wait, path: readonly string[], width: number): readonly string[] {
    const { name, quiet, alarming } = this.page.paint;
    const { to, issueNumber, clarificationId, topic, status, isInCycle } = wait;
    const who = to === HUMAN ? 'you' : to;
    const mark = this.#markOf(wait, path);
    const others = [who, `#${issueNumber}`, clarificationId, status, '', ...(mark === '' ? [] : [mark])].join('  ');
    const room = width - columnsOf(others);
    const shownMark = mark === '' ? [] : [isInCycle ? alarming(mark) : mark];
    if (room >= MIN_TOPIC_WIDTH) {
      const facts = [name(who), `#${issueNumber}`, quiet(clarificationId), status, cutTo(plainLine(topic), room)];
      return [[...facts, ...shownMark].join('  ')];
    }
    // Far to the right the terminal may break a line, rather than that letters stand below each other.
    const innerWidth = Math.max(MIN_TEXT_WIDTH, width - 2);
    return [
      name(cutTo(who, innerWidth)),
      `${quiet(clarificationId)}  ${status}`,
      ...wrapLine(plainLine(topic), innerWidth),
      ...shownMark,
    ];
  }

  #markOf({ to, isInCycle }: Wait, path: readonly string[]): string {
    if (isInCycle) return path.includes(to) ? '<- CYCLE' : '(in a cycle)';
    return this.#drawn.has(to) && to !== HUMAN ? '(see above)' : '';
  }
}

function whoIsWaitedFor({ blocking, status, to }: ClarificationRecord): string | undefined {
  if (!blocking) return undefined;
  if (status === 'pending' || status === 'stale') return to;
  return status === 'escalated' ? HUMAN : undefined;
}

function leadsTo(targets: ReadonlyMap<string, ReadonlySet<string>>, start: string, end: string): boolean {
  const reachedAgents = new Set([start]);
  // A set is walked in order of insertion, including elements added on the way.
  for (const agent of reachedAgents) {
    if (agent === end) return true;
    for (const target of targets.get(agent) ?? []) reachedAgents.add(target);
  }
  return false;
}
