import { resolve } from 'node:path';
import type { MemoryNotice } from '../../ports/observations.js';
import type { Store } from '../../ports/store.js';
import { assumptionFiles } from './assumptions.js';
import { fileChanges } from './changes.js';
import { Claims } from './claims.js';
import { Disk } from './disk.js';
import { realFileSystem } from './file-system.js';
import { interactionLog } from './interactions.js';
import { issueFiles } from './issues.js';
import { Journal } from './journal.js';
import { UnsettledJournals } from './journal-recovery.js';
import type { FilesContext } from './json-file.js';
import { layoutOf } from './layout.js';
import { ledgerFiles } from './ledgers.js';
import { observationFiles } from './observations.js';
import { Folders } from './prepared-folders.js';
import { questionFiles } from './questions.js';
import { runFiles } from './runs.js';
import { sessionFiles, transcriptFiles } from './sessions.js';
import { deliveriesFile, orchestratorFile, statusFile, taskFiles } from './single-documents.js';

export interface FileStoreOptions
  extends Partial<Pick<FilesContext, 'fs' | 'agent' | 'lockWaitMs' | 'sync' | 'onContention'>> {
  /** The `.agentx` folder; it is made with the first write, and not again if it is removed. */
  readonly root: string;
  /** After so many updates in a row this process has a journal: for tests on machines of any speed. */
  readonly journalAfter?: number;
  /** Called when what is derived of the memory was made anew, and for each of its files that cannot be read. */
  readonly onMemoryNotice?: (notice: MemoryNotice) => void;
}

/** The store that needs nothing but the repository: JSON files that people and other programs can read and edit. */
export function openFileStore(options: FileStoreOptions): Store {
  const { agent = 'agentx', lockWaitMs, sync = true, fs = realFileSystem, onContention, onMemoryNotice } = options;
  const layout = layoutOf(resolve(options.root));
  const disk = new Disk(fs);
  const folders = new Folders(fs, disk, layout);
  const unsettled = new UnsettledJournals({ fs, layout, agent });
  const journal = sync ? new Journal({ fs, disk, layout, inARow: options.journalAfter }) : undefined;
  const context: FilesContext = { fs, disk, folders, journal, unsettled, agent, lockWaitMs, sync, onContention };
  const changes = fileChanges(layout);
  const claims = new Claims(context, layout);
  return {
    claim: (on, options) => claims.claim(on, options),
    heldBy: async (on) => claims.heldBy(on),
    watch: changes.watch,
    close: async () => {
      changes.close();
      await journal?.rest();
    },
    ledgers: ledgerFiles(context, layout),
    statuses: statusFile(context, layout),
    questions: questionFiles(context, layout),
    assumptions: assumptionFiles(context, layout),
    issues: issueFiles(context, layout),
    runs: runFiles(context, layout, claims),
    orchestrator: orchestratorFile(context, layout),
    interactions: interactionLog(context, layout),
    tasks: taskFiles(context, layout),
    sessions: sessionFiles(context, layout, claims),
    transcripts: transcriptFiles(context, layout, claims),
    observations: observationFiles(context, layout, onMemoryNotice),
    deliveries: deliveriesFile(context, layout),
  };
}
