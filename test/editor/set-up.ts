import type { TestProject } from 'vitest/node';
import { launchBrowserServer } from '../../scripts/browser.mjs';
import { packageExtension } from '../../scripts/build-extension.mjs';
import { installEditor, whyNoEditor } from '../../scripts/editor.mjs';
import { anEditor, type EditorAddress } from './support/editor.js';

/** One editor for all tests, with the packaged extension; or why there is none. */
export type ProvidedEditor =
  | { readonly missing: string }
  | { readonly missing?: never; readonly browser: string; readonly vsix: string; readonly editor: EditorAddress };

declare module 'vitest' {
  export interface ProvidedContext {
    editor: ProvidedEditor;
  }
}

export default async function setUp(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const missing = whyNoEditor() ?? (await whyNotInstalled());
  if (missing !== undefined) {
    // Where a whole editor is a must, as in a check before a release, its absence is a failure.
    if (process.env.AGENTX_EDITOR === 'required') throw new Error(missing);
    console.error(`\nThe tests of the editor are SKIPPED: ${missing}\n`);
    project.provide('editor', { missing });
    return undefined;
  }
  const vsix = await packageExtension();
  const [browser, editor] = await Promise.all([launchBrowserServer(), anEditor(vsix)]);
  project.provide('editor', { browser: browser.wsEndpoint(), vsix, editor: editor.address });
  return async () => {
    await Promise.all([browser.close(), editor.stop()]);
  };
}

async function whyNotInstalled(): Promise<string | undefined> {
  try {
    await installEditor();
    return undefined;
  } catch (error) {
    return `VS Code could not be installed: ${error instanceof Error ? error.message : error}`;
  }
}
