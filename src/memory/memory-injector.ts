import type { AgentXError } from '../protocol/errors.js';
import { isCertain, type Observation } from '../protocol/observation.js';
import { shorten } from '../protocol/shorten.js';
import { ESTIMATE, tokenCeiling } from '../protocol/tokens.js';
import { Facts } from './near-duplicate.js';
import type { Scored } from './relevance-scorer.js';

export interface InjectionResult {
  /** Empty if nothing was chosen. */
  readonly section: string;
  readonly observations: readonly Observation[];
  /** What the section takes at most. */
  readonly tokens: number;
  /** What could not be read. */
  readonly damaged?: readonly AgentXError[];
}

const HEADING = '## Memory Recall';
const INTRODUCTION =
  'What earlier sessions found out, most relevant first. What names a CLR-, oq- or ASM- id was decided; the rest are hints. Check what may have changed since; `agentx memory show ID` has the source.';
const NOTHING: InjectionResult = { section: '', observations: [], tokens: 0 };

/** Chooses what fits into the budget, best first, and says it. The budget is never overrun. */
export class MemoryInjector {
  constructor(private readonly memoryTokenBudget: number) {}

  /** Each thing once: not what the session has already, and not the same in other words. */
  inject(
    scored: readonly Scored<Observation>[],
    { budget = this.memoryTokenBudget, known = new Set<string>() } = {},
  ): InjectionResult {
    const observations: Observation[] = [];
    const facts = new Facts();
    let tokens = tokenCeiling(`${HEADING}\n\n${INTRODUCTION}\n\n`);
    for (const { entry } of scored) {
      if (known.has(entry.id) || facts.find(entry.content) >= 0) continue;
      const tokensNeeded = tokensOf(entry);
      // A long one that does not fit makes room for shorter ones behind it.
      if (tokens + tokensNeeded > budget) continue;
      tokens += tokensNeeded;
      facts.set(observations.length, entry.content);
      observations.push(entry);
    }
    if (observations.length === 0) return NOTHING;
    return { section: this.formatRecallSection(observations), observations, tokens };
  }

  formatRecallSection(observations: readonly Observation[]): string {
    if (observations.length === 0) return '';
    return [HEADING, '', INTRODUCTION, '', ...observations.map(lineOf)].join('\n');
  }
}

/** One line each: what an agent once wrote is text, not structure. */
function lineOf(observation: Observation): string {
  return `${openingOf(observation)}${textOf(observation)}${closingOf(observation)}`;
}

function openingOf({ category }: Observation): string {
  return `- [${category}] `;
}

function textOf({ content }: Observation): string {
  return content.replace(/^- /, '').replace(/\n- /g, '; ').replace(/\s+/g, ' ').trim();
}

/** The full id: it is how an agent gets at the whole text, and how a later turn knows what was said. */
function closingOf(observation: Observation): string {
  const { id, agent, issueNumber, timestamp, source } = observation;
  const citation = isCertain(observation) && source !== undefined ? `, ${shorten(source.id, 80)}` : '';
  return ` (${agent}, #${issueNumber}, ${timestamp.slice(0, 10)}${citation}, ${id})`;
}

/** Exact counts are of the content alone; everything around it is counted high. */
function tokensOf(observation: Observation): number {
  const { tokens, tokenizer, content } = observation;
  const isExact = tokenizer !== undefined && tokenizer !== ESTIMATE;
  const text = isExact ? tokens : Math.max(tokens, tokenCeiling(content));
  return text + tokenCeiling(`\n${openingOf(observation)}`) + tokenCeiling(closingOf(observation));
}

/** The ids of observations in a section that was given before. */
export function idsIn(section: string): readonly string[] {
  const ids = section.match(/\bobs-[a-z][a-z0-9-]*-\d+-\d+-[A-Za-z0-9]{6}\b/g) ?? [];
  return ids;
}
