import type { TranscriptStore } from '../../ports/store.js';
import { parseTranscriptId } from '../../protocol/ids.js';
import { Transcript } from '../../protocol/transcript.js';
import type { Claims } from './claims.js';
import type { FilesContext } from './json-file.js';
import { JsonFolder } from './json-folder.js';
import type { Layout } from './layout.js';

/** `state/transcripts/{id}.json` */
export function transcriptFiles(context: FilesContext, layout: Layout, claims: Claims): TranscriptStore {
  const transcripts = new JsonFolder<string, Transcript>(context, {
    folder: layout.transcripts,
    what: 'transcript',
    schema: Transcript,
    mode: 0o600,
    anyText: true,
    nameOf: (id) => `${parseTranscriptId(id)}.json`,
    keyOf: (name) => /^((?:run|CLR)-[\w.-]{1,160})\.json$/.exec(name)?.[1],
    keyIn: (transcript) => transcript.id,
  });
  return {
    read: (id) => transcripts.read(id),
    update: (id, update, claim) => transcripts.update(id, update, claims.fenceOf(claim)),
  };
}
