import type { App } from '../../app/app.js';
import { parseClarificationId } from '../../protocol/ids.js';

/** The clarification once its target has answered, or its state when Ctrl-C broke that off. */
export async function routeUntil(
  app: App,
  id: string,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<App['route']>>> {
  try {
    return await app.route(id, signal);
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
    const record = await app.showClarification(id);
    const { issueNumber } = parseClarificationId(id);
    return { clarificationId: id, issueNumber, status: record.status, round: record.round, record };
  }
}
