import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startEditor } from '../../../scripts/editor.mjs';

export interface EditorAddress {
  readonly url: string;
  /** Where its extension hosts listen, one socket each. */
  readonly sockets: string;
}

const COMPANION = resolve(import.meta.dirname, '../companion');

export interface AnEditorOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly isTrusting?: boolean;
  /** Packages beside the companion; by default ours. */
  readonly extensions?: readonly string[];
}

/** An editor with the packaged extension and the companion, whose user is Ada and has a home folder of her own. */
export async function anEditor(
  vsix: string,
  { env = { AGENTX_TRUST: '1' }, settings = {}, isTrusting = true, extensions = [vsix] }: AnEditorOptions = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'agentx-editor-'));
  const [home, sockets] = [join(folder, 'home'), join(folder, 'sockets')];
  mkdirSync(home);
  mkdirSync(sockets);
  const { url, stop } = await startEditor({
    folder,
    extensions,
    unpacked: [COMPANION],
    settings,
    isTrusting,
    env: { PATH: process.env.PATH, HOME: home, USER: 'ada', AGENTX_TEST_SOCKETS: sockets, ...env },
  });
  return {
    address: { url, sockets },
    home,
    async stop() {
      await stop();
      // An extension host may still write its last.
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
    },
  };
}
