import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../test/builders/refusal.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { loadConfig } from './config.js';
import { configTemplate } from './config-template.js';
import { createApp } from './create-app.js';
import { MAYBE_ELSEWHERE } from './storage-mode.js';

function rootWith(config: string): string {
  const root = join(temporaryFolder(), '.agentx');
  mkdirSync(root);
  writeFileSync(join(root, 'config.toml'), config);
  return root;
}

describe('settings that keep records elsewhere than in files', () => {
  it.each([
    ['mode = "gitlab"', 1, 'mode'],
    ["\uFEFF# ours\n'mode' = 'gitlab'  # soon", 2, 'mode'],
    ['store.url = "postgres://me:secret@db/shop"', 1, 'store.url'],
    ['[store]\r\nurl = "postgres://me:secret@db/shop"\r\n', 2, 'store.url'],
    ['[server]\nport = 1\n[ store ]\n"url" = \'postgresql://db/shop\'', 4, 'store.url'],
    ['store = { url = "postgres://db/shop" }', 1, 'store.url'],
    ['store = { "url" = "postgres://db/shop" }', 1, 'store.url'],
    ['[store]\nurl = """\npostgres://db/shop"""', 2, 'store.url'],
    ['[store]\nurl = "\\u0070ostgres://db/shop"', 2, 'store.url'],
  ])('are refused before anything is read, as by whoever reads them all: %j', (config, line, key) => {
    const root = rootWith(config);
    const { code, message, details } = refusalOf(() => createApp({ root, env: {} }));
    expect({ code, details }).toMatchObject({ code: 'CONFIG_ERROR', details: { file: '.agentx/config.toml', line } });
    const rule = key === 'mode' ? 'can only be "local" or "github"' : 'can only be "" in this version';
    expect(message).toContain(`.agentx/config.toml, line ${line}: '${key}' ${rule}`);
    expect(message).toContain('remove the key');
    expect(message).not.toContain('secret');
    expect(refusalOf(() => loadConfig(root))).toMatchObject({ code, message });
  });

  it.each([
    ['', ''],
    ['what init writes', configTemplate({ project: 'shop' })],
    ['comments', '# mode = "github"\n[store]  # url = "postgres://db"\nurl = ""  # or postgres://db\n'],
    ['an empty text in other quotes', "mode = 'local'\nstore.url = ''\n"],
    ['an empty text of several lines', 'mode = """local"""\n[store]\nurl = """\n"""\n'],
    [
      'the same words where they are about something else',
      'project = """\nmode = "github"\n[store]\nurl = "postgres://db"\n"""\n[agents.coder]\nrunner = "command"\ncommand = ["a"]\nenv = { mode = "github", url = "postgres://db" }\n[agents.poet]\nrunner = "command"\ncommand = ["b"]\n[agents.poet.env]\nmode = "github"\nurl = "postgres://db"\n',
    ],
  ])('are not seen in %s', (_what, config) => {
    const root = rootWith(config);
    expect(createApp({ root, env: {} }).root).toBe(root);
    expect(loadConfig(root)).toMatchObject({ mode: 'local', store: { url: '' } });
  });

  it.each([
    'mode = "github"\n[github]\nrepo = "octocat/shop"\n',
    "\uFEFF# ours\n'mode' = 'github'  # at last\ngithub.repo = 'octocat/shop'\n",
  ])('are no reason to refuse GitHub mode: %j', (config) => {
    const root = rootWith(config);
    expect(createApp({ root, env: {} }).mode).toBe('github');
    expect(loadConfig(root)).toMatchObject({ mode: 'github', github: { repo: 'octocat/shop' } });
  });

  it('cost what init writes no more than a glance', () => {
    expect(MAYBE_ELSEWHERE.test(configTemplate({ project: 'shop' }))).toBe(false);
    expect(MAYBE_ELSEWHERE.test('mode = "github"')).toBe(true);
  });

  it('are what a doctor reports', async () => {
    const root = rootWith('project = "shop"\n[store]\nurl = "postgres://me:secret@db/shop"\n');
    const { problems } = await createApp({ root, env: {}, anyStore: true }).doctor();
    const reason = expect.stringContaining(`'store.url' can only be ""`);
    expect(problems).toContainEqual(expect.objectContaining({ file: '.agentx/config.toml', line: 3, reason }));
    expect(JSON.stringify(problems)).not.toContain('secret');
  });
});
