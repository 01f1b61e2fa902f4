import type { SessionStore, TranscriptStore } from '../../ports/store.js';
import { parseSessionId, parseTranscriptId } from '../../protocol/ids.js';
import { positionOf } from '../../protocol/page.js';
import { byStart, Session } from '../../protocol/session.js';
import { Transcript } from '../../protocol/transcript.js';
import type { Claims } from './claims.js';
import type { FilesContext } from './files-context.js';
import { JsonFolder, readPage } from './json-folder.js';

/** `state/sessions/{id}.json` */
export function sessionFiles(context: FilesContext, claims: Claims): SessionStore {
  const sessions = new JsonFolder<string, Session>(context, {
    folder: context.layout.sessions,
    what: 'session',
    schema: Session,
    anyText: true,
    nameOf: (id) => `${parseSessionId(id)}.json`,
    keyOf: (name) => /^(run-[\w-]{1,64}\.[\w-]{1,80}\.[1-9]\d{0,8})\.json$/.exec(name)?.[1],
    keyIn: (session) => session.id,
  });
  const places = sessions.summaries({
    index: 'sessions',
    version: 5,
    of: ({ id, issueNumber, startedAt }) => ({ id, issueNumber, startedAt }),
    compare: byStart,
  });
  return {
    ...claims.fenced(sessions),
    async list({ issue, ...paging } = {}) {
      const { items, damaged } = places();
      const matching = items.filter(({ issueNumber }) => issueNumber === (issue ?? issueNumber));
      const readSession = ({ id }: { readonly id: string }) => sessions.file(id).readNow();
      return readPage({ items: matching, damaged }, paging, { position: positionOf.session, read: readSession });
    },
  };
}

/** `state/transcripts/{id}.json` */
export function transcriptFiles(context: FilesContext, claims: Claims): TranscriptStore {
  const transcripts = new JsonFolder<string, Transcript>(context, {
    folder: context.layout.transcripts,
    what: 'transcript',
    schema: Transcript,
    anyText: true,
    nameOf: (id) => `${parseTranscriptId(id)}.json`,
    keyOf: (name) => /^((?:run|CLR)-[\w.-]{1,160})\.json$/.exec(name)?.[1],
    keyIn: (transcript) => transcript.id,
  });
  return claims.fenced(transcripts);
}
