/** Writes a project in the middle of its work into a folder that `agentx init` has made. */
export function writeSampleProject(root: string, options: { readonly projectId: string }): void;
