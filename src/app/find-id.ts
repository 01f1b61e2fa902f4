import type { Store } from '../ports/store.js';
import { AgentXError } from '../protocol/errors.js';
import { isObservationId, parseObservationId } from '../protocol/ids.js';
import { shortAssumptionId, shortClarificationId, shortQuestionId } from '../protocol/short-id.js';

export type IdKind = 'question' | 'clarification' | 'assumption' | 'observation';

/** The full id that the user meant, maybe shortened. NOT_FOUND if no id fits, INVALID_INPUT if several fit. */
export async function findId(store: Store, kind: IdKind, typedId: string): Promise<string> {
  if (typeof typedId !== 'string') throw new AgentXError('INVALID_INPUT', 'The id is missing. It is a text.');
  if (typeof kind === 'string' && Object.hasOwn(FINDERS, kind)) return FINDERS[kind](store, typedId);
  const allowed = Object.keys(FINDERS).join(', ');
  throw new AgentXError('INVALID_INPUT', `There are no ids of that kind. Allowed: ${allowed}.`);
}

const FINDERS: Readonly<Record<IdKind, (store: Store, typed: string) => Promise<string>>> = {
  async question({ questions }, typedId) {
    const ids = await questions.ids({ idFrom: shortQuestionId(typedId) });
    return ids.includes(typedId) ? typedId : onlyOne('question', ids, { id: typedId, typed: typedId, damaged: [] });
  },
  async clarification({ ledgers }, typedId) {
    const { id, issueNumber, isMeant } = shortClarificationId(typedId);
    const { items, damaged } =
      issueNumber === undefined
        ? await ledgers.list()
        : { items: (await ledgers.read(issueNumber)).clarifications.map((record) => ({ record })), damaged: [] };
    const ids = items.map(({ record }) => record.id).filter(isMeant);
    return onlyOne('clarification', ids, { id, typed: typedId, damaged });
  },
  async assumption({ assumptions }, typedId) {
    const { id, issueNumber, isMeant } = shortAssumptionId(typedId);
    const { items, damaged } =
      issueNumber === undefined
        ? await assumptions.list()
        : { items: (await assumptions.read(issueNumber)).assumptions_made, damaged: [] };
    const ids = items.flatMap((assumption) => assumption.id ?? []).filter(isMeant);
    return onlyOne('assumption', ids, { id, typed: typedId, damaged });
  },
  async observation({ observations }, typedId) {
    if (isObservationId(typedId)) return typedId;
    if (!/^[A-Za-z0-9-]{1,120}$/.test(typedId)) parseObservationId(typedId);
    const { items, damaged } = await observations.list({ archived: true });
    const isMeant = (id: string) => id.startsWith(typedId) || (typedId.length === 6 && id.endsWith(`-${typedId}`));
    const ids = [...new Set(items.map(({ id }) => id).filter(isMeant))];
    return onlyOne('observation', ids, { id: typedId, typed: typedId, damaged });
  },
};

const SHOWN = 8;

interface Wanted {
  readonly typed: string;
  /** The full id that it stands for, if it is one. */
  readonly id: string;
  /** Files that could not be read. */
  readonly damaged: readonly AgentXError[];
}

function onlyOne(what: IdKind, ids: readonly string[], { typed, id: fullId, damaged }: Wanted): string {
  const [id, ...others] = ids;
  if (id === undefined) {
    throw damaged[0] ?? new AgentXError('NOT_FOUND', `There is no ${what} ${fullId}.`, { [`${what}Id`]: fullId });
  }
  if (others.length === 0) return id;
  const shownIds = ids.slice(0, SHOWN).join(', ');
  const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : '';
  const problem = `'${typed}' may be any of ${ids.length} ${what}s: ${shownIds}${more}. Type more of its id.`;
  throw new AgentXError('INVALID_INPUT', problem, { typed, candidates: ids });
}
