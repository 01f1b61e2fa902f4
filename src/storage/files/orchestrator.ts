import { join } from 'node:path';
import type { OrchestratorStore, TaskStore } from '../../ports/store.js';
import { parseIssueNumber } from '../../protocol/ids.js';
import { emptyOrchestratorState, OrchestratorState, TaskConfig } from '../../protocol/orchestrator.js';
import { privateKind } from './document-kind.js';
import { type FilesContext, JsonFile } from './json-file.js';
import type { Layout } from './layout.js';

/** `state/orchestrator.json` */
export function orchestratorFile(context: FilesContext, layout: Layout): OrchestratorStore {
  const kind = privateKind(OrchestratorState, "The sessions' state");
  const file = new JsonFile<OrchestratorState>(context, kind, layout.orchestratorFile);
  return {
    read: async () => (await file.read()) ?? emptyOrchestratorState(),
    update: (update) => file.update((current) => update(current ?? emptyOrchestratorState())),
  };
}

/** `state/tasks/issue-{N}/config.json`. It follows from the configuration, so it is not worth waiting for the disk. */
export function taskFiles(context: FilesContext, layout: Layout): TaskStore {
  const kind = privateKind(TaskConfig, "The task's settings", { durable: false });
  const configOf = (issueNumber: number) => {
    const path = join(layout.tasks, `issue-${parseIssueNumber(issueNumber)}`, 'config.json');
    return new JsonFile<TaskConfig>(context, kind, path);
  };
  return {
    readConfig: async (issueNumber) => configOf(issueNumber).read(),
    writeConfig: async (issueNumber, config) =>
      configOf(issueNumber).update(() => ({ next: config, result: undefined })),
  };
}
