import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** `AGENTX_PICTURES=docs/images npm test -- --project editor` makes the pictures of the documentation anew. */
export async function pictureOf(page: Page, name: string): Promise<void> {
  const folder = process.env.AGENTX_PICTURES;
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
}
