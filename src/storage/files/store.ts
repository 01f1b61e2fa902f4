import type { MemoryNotice } from '../../ports/observations.js';
import type { Store } from '../../ports/store.js';
import { assumptionFiles } from './assumptions.js';
import { fileChanges } from './changes.js';
import { Claims } from './claims.js';
import { type FilesContext, type FilesOptions, filesContext } from './files-context.js';
import { interactionLog } from './interactions.js';
import { issueFiles } from './issues.js';
import { Journal } from './journal.js';
import { UnsettledJournals } from './journal-recovery.js';
import { ledgerFiles } from './ledgers.js';
import { madeWhenUsed } from './made-when-used.js';
import { observationFiles } from './observations.js';
import { questionFiles } from './questions.js';
import { runFiles } from './runs.js';
import { sessionFiles, transcriptFiles } from './sessions.js';
import { deliveriesFile, orchestratorFile, statusFile, taskFiles } from './single-documents.js';

export interface FileStoreOptions extends Omit<FilesOptions, 'journal' | 'unsettled'> {
  /** The `.agentx` folder; it is made with the first write, and not again if it is removed. */
  readonly root: string;
  /** After so many updates in a row this process has a journal: for tests on machines of any speed. */
  readonly journalAfter?: number;
  /** Called when what is derived of the memory was made anew, and for each of its files that cannot be read. */
  readonly onMemoryNotice?: (notice: MemoryNotice) => void;
}

/**
 * The store that needs nothing but the repository: JSON files that people and other programs can read and edit. A command
 * uses few of its parts, and making the schemas of all of them takes as long as the rest of many commands.
 */
export function openFileStore({ root, journalAfter, onMemoryNotice, ...options }: FileStoreOptions): Store {
  const files = filesContext(root, options);
  const { fs, layout, agent, sync } = files;
  const journal = sync ? new Journal({ ...files, inARow: journalAfter }) : undefined;
  const context: FilesContext = { ...files, journal, unsettled: new UnsettledJournals({ fs, layout, agent }) };
  const changes = fileChanges(layout);
  const claims = new Claims(context);
  return madeWhenUsed<Store>({
    claim: () => (on, options) => claims.claim(on, options),
    heldBy: () => async (on) => claims.heldBy(on),
    watch: () => changes.watch,
    close: () => async () => {
      changes.close();
      await journal?.rest();
    },
    ledgers: () => ledgerFiles(context),
    statuses: () => statusFile(context),
    questions: () => questionFiles(context),
    assumptions: () => assumptionFiles(context),
    issues: () => issueFiles(context),
    runs: () => runFiles(context, claims),
    orchestrator: () => orchestratorFile(context),
    interactions: () => interactionLog(context),
    tasks: () => taskFiles(context),
    sessions: () => sessionFiles(context, claims),
    transcripts: () => transcriptFiles(context, claims),
    observations: () => observationFiles(context, claims, onMemoryNotice),
    deliveries: () => deliveriesFile(context),
  });
}
