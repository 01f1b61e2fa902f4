import { join } from 'node:path';
import type { DeliveryStore, OrchestratorStore, StatusStore, TaskStore } from '../../ports/store.js';
import { AgentStatuses, AgentStatusFile, changeEntries } from '../../protocol/agent-status.js';
import { Deliveries, noDeliveries } from '../../protocol/delivery.js';
import { parseIssueNumber } from '../../protocol/ids.js';
import { emptyOrchestratorState, OrchestratorState, TaskConfig } from '../../protocol/orchestrator.js';
import { changeFits } from './change-fits.js';
import { privateKind } from './document-kind.js';
import type { FilesContext } from './files-context.js';
import { JsonFile } from './json-file.js';

/** `state/agent-status.json`, derivable from the ledgers, so it is not worth waiting for the disk. */
export function statusFile(context: FilesContext): StatusStore {
  const fits = (next: AgentStatusFile, before: AgentStatusFile) => changeFits(AgentStatuses, next, before);
  const kind = { ...privateKind(AgentStatusFile, 'The status file', { durable: false }), changeFits: fits };
  const { read, update } = new JsonFile<AgentStatusFile>(context, kind, context.layout.statusFile).orEmpty(() => ({}));
  return { read, update: (agents, change) => update((current) => changeEntries(current, agents, change)) };
}

/** `state/orchestrator.json` */
export function orchestratorFile(context: FilesContext): OrchestratorStore {
  const kind = privateKind(OrchestratorState, "The sessions' state");
  return new JsonFile<OrchestratorState>(context, kind, context.layout.orchestratorFile).orEmpty(
    emptyOrchestratorState,
  );
}

/** `state/notify.json` */
export function deliveriesFile(context: FilesContext): DeliveryStore {
  const kind = privateKind<Deliveries>(Deliveries, 'The list of messages');
  return new JsonFile<Deliveries>(context, kind, context.layout.deliveriesFile).orEmpty(noDeliveries);
}

/** `state/tasks/issue-{N}/config.json`. It follows from the configuration, so it is not worth waiting for the disk. */
export function taskFiles(context: FilesContext): TaskStore {
  const kind = privateKind(TaskConfig, "The task's settings", { durable: false });
  const configOf = (issueNumber: number) => {
    const path = join(context.layout.tasks, `issue-${parseIssueNumber(issueNumber)}`, 'config.json');
    return new JsonFile<TaskConfig>(context, kind, path);
  };
  return {
    readConfig: async (issueNumber) => configOf(issueNumber).read(),
    writeConfig: async (issueNumber, config) =>
      configOf(issueNumber).update(() => ({ next: config, result: undefined })),
  };
}
