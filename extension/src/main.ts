/*
 * The entry of the extension, and of the command line that comes with it. Everything is loaded when it is used: the
 * command line runs where there is no editor.
 */
type Editor = typeof import('./editor/activate.js');

export async function activate(context: Parameters<Editor['activate']>[0]): Promise<ReturnType<Editor['activate']>> {
  return (await import('./editor/activate.js')).activate(context);
}

export async function deactivate(): Promise<void> {
  await (await import('./editor/activate.js')).deactivate();
}

/** Carries out the words of the process as `agentx` does. */
export async function commandLine(): Promise<void> {
  await import('../../src/cli/main.js');
}
