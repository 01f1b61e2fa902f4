import { join } from 'node:path';
import type { EditorWindow } from './window.js';

/**
 * `AGENTX_PICTURES=docs/images npm test -- --project editor` makes the pictures of the documentation anew. The commands set
 * the scene.
 */
export async function pictureOf(
  { page, host }: EditorWindow,
  name: string,
  commands: readonly string[] = [],
): Promise<void> {
  const folder = process.env.AGENTX_PICTURES;
  if (folder === undefined) return;
  for (const command of ['notifications.clearAll', ...commands]) await host.command(command);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
}
