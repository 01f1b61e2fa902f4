import { median, medianRatio } from '../statistics.js';
import type { Contender } from './contender.js';
import { questionId } from './folder.js';

export const OPEN = 10_000;
/** In each round; so many are open beside the 10,000 before the first one. */
export const ANSWERS = 400;
const LANES = 16;
const PAGES = 20;

export interface HttpMeasurement {
  readonly what: 'answers' | 'pages';
  readonly ours: number;
  readonly bare: number;
  readonly ratio: number;
}

interface Pair {
  readonly ours: Contender;
  readonly bare: Contender;
}

/** Per second, both in turn; rounds alternate which one begins, and the first round is not counted. */
export async function measureHttp(pair: Pair, rounds: number): Promise<readonly HttpMeasurement[]> {
  const rates = {
    answers: { ours: [] as number[], bare: [] as number[] },
    pages: { ours: [] as number[], bare: [] as number[] },
  };
  for (let round = 0; round <= rounds; round++) {
    for (const contender of round % 2 === 0 ? [pair.ours, pair.bare] : [pair.bare, pair.ours]) {
      const answers = await rateOf(ANSWERS, () => answerAll(contender, OPEN + round * ANSWERS));
      // Every listing reads recently changed files again.
      await new Promise((resolve) => setTimeout(resolve, 200));
      const pages = await rateOf(PAGES, () => turnPages(contender));
      if (round === 0) continue;
      rates.answers[contender.name].push(answers);
      rates.pages[contender.name].push(pages);
    }
  }
  return (['answers', 'pages'] as const).map((what) => ({
    what,
    ours: median(rates[what].ours),
    bare: median(rates[what].bare),
    ratio: medianRatio(rates[what].ours, rates[what].bare),
  }));
}

async function rateOf(count: number, work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (count * 1000) / (performance.now() - started);
}

async function answerAll(contender: Contender, first: number): Promise<void> {
  let index = first;
  const lane = async () => {
    while (index < first + ANSWERS) {
      const path = `/notifications/${questionId(index++)}`;
      const body = { revision: 1, responses: [{ questionId: 'q1', optionIds: ['a'] }] };
      const { status, text } = await contender.call('PATCH', path, body);
      if (status !== 200) throw new Error(`${contender.name} ${path}: ${status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** Like a client that pages through the list. */
async function turnPages(contender: Contender): Promise<void> {
  let cursor = '';
  for (let page = 0; page < PAGES; page++) {
    const { status, text } = await contender.call('GET', `/notifications?limit=50${cursor && `&cursor=${cursor}`}`);
    const { notifications, next }: { notifications: unknown[]; next: string } = JSON.parse(text);
    if (status !== 200 || notifications.length !== 50) throw new Error(`${contender.name}: ${status} ${text}`);
    cursor = encodeURIComponent(next);
  }
}
