import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What keeps people out of the page as it is now. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const { violations: results } = await page.evaluate<AxeResults>('axe.run()');
  return results.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}
