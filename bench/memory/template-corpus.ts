import type { Observation } from '../../src/protocol/observation.js';
import { AGENTS, CATEGORIES, numbers, observation } from './made-observation.js';

/*
 * Notes of three templates: every query has words of a third of them all, as no memory has that people wrote. Kept because the
 * first figures were measured on it.
 */

const VERBS = 'Chose Added Fixed Moved Replaced Removed Limited Measured Documented Split Merged Renamed'.split(' ');
const THINGS =
  'retry policy,session store,payment adapter,search index,upload worker,audit log,rate limiter,feature flag,mail template,order table,login form,price cache,job queue,health check,error page,schema migration,access token,invoice export,webhook handler,image resizer'.split(
    ',',
  );
const REASONS =
  'because the old one lost updates,so that tests run without a network,after the incident on Monday,since partners rely on it,to keep the page under 100 kB,because reviews found it unclear,as the architect decided,before the next release,to make it repeatable,since the limit was reached twice'.split(
    ',',
  );

/** So many observations, a hundred for each issue, in sessions of eight. */
export function templateCorpus(count: number): readonly Observation[] {
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

export function templateQueries(count: number): readonly string[] {
  const next = numbers(99);
  const pick = (items: readonly string[]): string => items[Math.floor(next() * items.length)] ?? '';
  return Array.from(
    { length: count },
    () => `${pick(THINGS)} module${Math.floor(next() ** 2 * 900)} ${pick(REASONS).split(' ').slice(-2).join(' ')}`,
  );
}
