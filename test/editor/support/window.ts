import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { isAlive } from '../../support/is-alive.js';
import { until } from '../../support/until.js';
import type { EditorAddress } from './editor.js';
import { Host } from './host.js';
import { PATIENCE_MS } from './patience.js';

const REMIND_MS = 3_000;

/** An editor that is too busy to load its extensions in its own time gives up; a person would reload the window. */
const RELOAD_MS = 90_000;

export interface WindowOptions {
  /** The folder that is opened, if any. */
  readonly folder?: string;
  /** A file that names several folders, the first of them `folder`; opened instead of it. */
  readonly workspace?: string;
  readonly size?: { readonly width: number; readonly height: number };
}

/** A window of the editor: what the person sees, and the process behind it. */
export class EditorWindow {
  readonly page: Page;
  readonly #editor: EditorAddress;
  readonly #folder: string | undefined;
  readonly #hosts: Host[] = [];

  private constructor(page: Page, editor: EditorAddress, folder: string | undefined) {
    this.page = page;
    this.#editor = editor;
    this.#folder = folder;
  }

  static async open(
    browser: Browser,
    editor: EditorAddress,
    { folder, workspace, size = { width: 1280, height: 800 } }: WindowOptions,
  ): Promise<EditorWindow> {
    const context = await browser.newContext({ viewport: size });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const window = new EditorWindow(page, editor, folder);
    const before = hostsOf(editor);
    const opened = workspace === undefined ? (folder === undefined ? { ew: 'true' } : { folder }) : { workspace };
    const query = new URLSearchParams(opened);
    await page.goto(`${editor.url}/?${query}`);
    const reminding = workspace === undefined ? undefined : setInterval(() => remind(workspace), REMIND_MS);
    try {
      await window.#findHost(before, RELOAD_MS).catch(async () => {
        await page.reload();
        await window.#findHost(hostsOf(editor));
      });
      return window;
    } catch (error) {
      await leavePicture(page);
      await context.close();
      throw error;
    } finally {
      clearInterval(reminding);
    }
  }

  /** The extension host at present. */
  get host(): Host {
    const host = this.#hosts.at(-1);
    if (host === undefined) throw new Error('The window has no extension host.');
    return host;
  }

  /** Like a crash: the host gets no chance to clean up. The editor starts another one by itself. */
  async killHost(): Promise<void> {
    const before = hostsOf(this.#editor);
    process.kill(this.host.pid, 'SIGKILL');
    await this.#findHost(before);
  }

  /** Leaves the page first: a window that is left takes its extension host with it. */
  async close(): Promise<void> {
    await this.page.goto('about:blank');
    await this.page.context().close();
    for (const host of this.#hosts) {
      host.close();
      await until(() => !isAlive(host.pid));
    }
  }

  async #findHost(before: ReadonlySet<number>, patienceMs?: number): Promise<void> {
    this.#hosts.push(await Host.find(this.#editor.sockets, this.#folder, before, patienceMs));
  }
}

/** For a person who wants to know why something failed. */
export async function leavePicture(page: Page): Promise<void> {
  const picture = join(mkdtempSync(join(tmpdir(), 'agentx-failed-')), 'editor.png');
  await page.screenshot({ path: picture });
  console.error(`What the editor looked like: ${picture}`);
}

/** Now and then the editor opens a file of several folders before it can read it, and reads it again when it changes. */
function remind(workspace: string): void {
  writeFileSync(workspace, `${readFileSync(workspace, 'utf8')}\n`);
}

function hostsOf({ sockets }: EditorAddress): ReadonlySet<number> {
  return new Set(readdirSync(sockets).map((name) => Number.parseInt(name, 10)));
}
