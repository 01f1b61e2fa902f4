import { type Browser, chromium } from 'playwright-core';
import { beforeEach, inject, onTestFinished } from 'vitest';
import type { EditorAddress } from './editor.js';
import { EditorWindow, leavePicture, type WindowOptions } from './window.js';

let browser: Promise<Browser> | undefined;

/** The tests of a file are skipped, and say why, where the machine cannot have the editor. */
export function withEditor(): void {
  beforeEach(({ skip }) => {
    const { missing } = inject('editor');
    if (missing !== undefined) skip(missing);
  });
}

export function provided() {
  const editor = inject('editor');
  if (editor.missing !== undefined) throw new Error(editor.missing);
  if (editor.broken !== undefined) throw new Error(editor.broken);
  return editor;
}

/** A window of the editor that all tests share, closed when the test is over. A failure leaves a picture of it. */
export async function aWindow(
  options: WindowOptions,
  editor: EditorAddress = provided().editor,
): Promise<EditorWindow> {
  browser ??= chromium.connect(provided().browser);
  const window = await EditorWindow.open(await browser, editor, options);
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await leavePicture(window.page);
    await window.close();
  });
  return window;
}
