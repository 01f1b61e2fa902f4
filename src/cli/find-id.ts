import type { App } from '../app/create-app.js';
import { AgentXError } from '../protocol/errors.js';
import { shortAssumptionId, shortClarificationId, shortQuestionId } from '../protocol/short-id.js';

/** The one clarification that somebody named, maybe in short. NOT_FOUND if there is none, INVALID_INPUT if several. */
export async function findClarificationId({ store }: App, typed: string): Promise<string> {
  const { id, issueNumber, isMeant } = shortClarificationId(typed);
  const ledgers =
    issueNumber === undefined ? (await store.ledgers.list()).items : [await store.ledgers.read(issueNumber)];
  const ids = ledgers.flatMap(({ clarifications }) => clarifications.map((record) => record.id)).filter(isMeant);
  return onlyOne('clarification', id, ids);
}

export async function findAssumptionId({ store }: App, typed: string): Promise<string> {
  const { id, issueNumber, isMeant } = shortAssumptionId(typed);
  const made =
    issueNumber === undefined
      ? (await store.assumptions.list()).items
      : (await store.assumptions.read(issueNumber)).assumptions_made;
  return onlyOne('assumption', id, made.flatMap((assumption) => assumption.id ?? []).filter(isMeant));
}

export async function findQuestionId({ store }: App, typed: string): Promise<string> {
  const ids = await store.questions.idsFrom(shortQuestionId(typed));
  return ids.includes(typed) ? typed : onlyOne('question', typed, ids);
}

const SHOWN = 8;

function onlyOne(what: string, typed: string, ids: readonly string[]): string {
  const [id, ...others] = ids;
  if (id === undefined) throw new AgentXError('NOT_FOUND', `There is no ${what} ${typed}.`, { [`${what}Id`]: typed });
  if (others.length === 0) return id;
  const shown = ids.slice(0, SHOWN).join(', ');
  const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : '';
  const problem = `'${typed}' may be any of ${ids.length} ${what}s: ${shown}${more}. Type more of its id.`;
  throw new AgentXError('INVALID_INPUT', problem, { typed, candidates: ids });
}
