import { join } from 'node:path';
import type { SessionStore } from '../../ports/store.js';
import { parseSessionId } from '../../protocol/ids.js';
import { byStart, Session } from '../../protocol/session.js';
import type { Claims } from './claims.js';
import type { FilesContext } from './json-file.js';
import { JsonFolder } from './json-folder.js';
import type { Layout } from './layout.js';

/** `state/sessions/{id}.json` */
export function sessionFiles(context: FilesContext, layout: Layout, claims: Claims): SessionStore {
  const sessions = new JsonFolder<string, Session>(context, {
    folder: layout.sessions,
    what: 'session',
    schema: Session,
    mode: 0o600,
    anyText: true,
    nameOf: (id) => `${parseSessionId(id)}.json`,
    keyOf: (name) => /^(run-[\w-]{1,64}\.[\w-]{1,80}\.[1-9]\d{0,8})\.json$/.exec(name)?.[1],
    keyIn: (session) => session.id,
  });
  const known = sessions.summaries({
    indexFile: join(layout.index, 'sessions.json'),
    version: 3,
    of: ({ id, issueNumber }) => ({ id, issueNumber }),
    compare: (left, right) => (left.id < right.id ? -1 : 1),
  });
  return {
    read: async (id) => sessions.file(id).read(),
    update: async (id, update, claim) => sessions.update(id, update, claims.fenceOf(claim)),
    async list(issueNumber) {
      const { summaries, damaged } = known();
      const wanted = summaries.filter((one) => issueNumber === undefined || one.issueNumber === issueNumber);
      return { items: wanted.flatMap(({ id }) => sessions.file(id).readNow() ?? []).toSorted(byStart), damaged };
    },
  };
}
