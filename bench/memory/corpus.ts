import type { Observation, ObservationCategory } from '../../src/protocol/observation.js';
import { SESSIONS } from './labelled.js';

const CATEGORIES: readonly ObservationCategory[] = ['decision', 'code-change', 'error', 'key-fact'];
const AGENTS = ['engineer', 'architect', 'tester', 'reviewer', 'product-manager'];
const VERBS = 'Chose Added Fixed Moved Replaced Removed Limited Measured Documented Split Merged Renamed'.split(' ');
const THINGS =
  'retry policy,session store,payment adapter,search index,upload worker,audit log,rate limiter,feature flag,mail template,order table,login form,price cache,job queue,health check,error page,schema migration,access token,invoice export,webhook handler,image resizer'.split(
    ',',
  );
const REASONS =
  'because the old one lost updates,so that tests run without a network,after the incident on Monday,since partners rely on it,to keep the page under 100 kB,because reviews found it unclear,as the architect decided,before the next release,to make it repeatable,since the limit was reached twice'.split(
    ',',
  );

/** The same numbers in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** So many observations, a hundred for each issue, in sessions of eight. */
export function corpusOf(count: number): readonly Observation[] {
  const next = numbers(7);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] ?? (items[0] as T);
  return Array.from({ length: count }, (_, number) => {
    const issueNumber = 1 + Math.floor(number / 100);
    const module = `module${Math.floor(next() ** 2 * 900)}`;
    const summary = `${pick(VERBS)} the ${pick(THINGS)} of ${module} ${pick(REASONS)}`;
    const content = `${summary}. The ${pick(THINGS)} in src/${module}/${pick(THINGS).replace(' ', '-')}.ts ${pick(REASONS)}; it takes ${Math.floor(next() * 900)} ms and touches the ${pick(THINGS)}.`;
    return observation({
      number,
      issueNumber,
      content,
      summary,
      sessionId: `s-${issueNumber}-${Math.floor((number % 100) / 8)}`,
      category: pick(CATEGORIES),
      agent: pick(AGENTS),
    });
  });
}

/** Every labelled session in an issue of its own, its negatives in others. */
export function labelledCorpus(): readonly Observation[] {
  let number = 0;
  return SESSIONS.flatMap(({ notes, negatives }, place) => [
    ...notes.map((content) =>
      observation({ number: number++, issueNumber: 9000 + place, content, sessionId: `l-${place}` }),
    ),
    ...negatives.map((content, index) =>
      observation({ number: number++, issueNumber: 9500 + place, content, sessionId: `n-${place}-${index}` }),
    ),
  ]);
}

export function queriesOf(count: number): readonly string[] {
  const next = numbers(99);
  const pick = (items: readonly string[]): string => items[Math.floor(next() * items.length)] ?? '';
  return Array.from(
    { length: count },
    () => `${pick(THINGS)} module${Math.floor(next() ** 2 * 900)} ${pick(REASONS).split(' ').slice(-2).join(' ')}`,
  );
}

interface Fields {
  readonly number: number;
  readonly issueNumber: number;
  readonly content: string;
  readonly summary?: string;
  readonly sessionId: string;
  readonly category?: ObservationCategory;
  readonly agent?: string;
}

function observation({
  number,
  issueNumber,
  content,
  summary = content,
  sessionId,
  category = 'decision',
  agent = 'engineer',
}: Fields): Observation {
  const ms = 1_760_000_000_000 + number * 60_000;
  return {
    id: `obs-${agent}-${issueNumber}-${ms}-${number.toString(36).padStart(6, '0')}`,
    agent,
    issueNumber,
    category,
    content,
    summary,
    tokens: Math.ceil(content.length / 4),
    tokenizer: 'o200k_base',
    timestamp: new Date(ms).toISOString(),
    sessionId,
  };
}
