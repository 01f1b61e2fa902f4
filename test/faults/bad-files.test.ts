import { mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFileStore } from '../../src/storage/files/store.js';
import { anIssue } from '../builders/issue.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Document, documents, pathOf } from './support/documents.js';
import { litterIn } from './support/litter.js';

interface Damage {
  readonly name: string;
  readonly reason: RegExp;
  /** Undefined where this cannot happen to that document. */
  readonly bytes: (document: Document) => Buffer | string | undefined;
}

const textOf = (content: object): string => JSON.stringify(content, null, 2);
const openedWith = (document: Document, field: string): string => textOf(document.content).replace('{', `{${field},`);
const [TOO_LARGE, ANY] = [50 * 1024 * 1024, /./];

const damages: readonly Damage[] = [
  { name: 'cut off', reason: /JSON/, bytes: ({ content }) => textOf(content).slice(0, -9) },
  // The status file is not synced: a power cut may leave it empty, and it is derived again.
  { name: 'empty', reason: /JSON/, bytes: ({ name }) => (name === 'the status file' ? undefined : '') },
  { name: 'a text instead of an object', reason: /must be/, bytes: () => '"hello"' },
  { name: 'a list instead of an object', reason: /must be/, bytes: () => '[{}]' },
  { name: 'null', reason: /must be/, bytes: () => 'null' },
  { name: 'of wrong types', reason: /must be/, bytes: ({ content }) => textOf(withWrongTypes(content)) },
  {
    name: 'with a __proto__ key',
    reason: /__proto__/,
    bytes: (document) => openedWith(document, '"__proto__":{"a":1}'),
  },
  {
    name: 'with a __proto__ key written in escapes',
    reason: /__proto__/,
    bytes: (document) => openedWith(document, '"\\u005f\\u005fproto\\u005f_":{"a":1}'),
  },
  {
    name: 'with a __proto__ key deep inside',
    reason: /__proto__|must be/,
    bytes: (document) => openedWith(document, '"extra":[{"deep":{"__proto__":[]}}]'),
  },
  {
    name: 'nested without end',
    reason: ANY,
    bytes: (document) => openedWith(document, `"extra":${'['.repeat(200_000)}${']'.repeat(200_000)}`),
  },
  { name: 'not UTF-8', reason: /UTF-8/, bytes: ({ content }) => withInvalidByte(textOf(content)) },
  { name: 'that of another', reason: /says/, bytes: ({ neighbour }) => neighbour && textOf(neighbour) },
  { name: 'with an id that is there twice', reason: ANY, bytes: ({ doubled }) => doubled && textOf(doubled) },
];

describe.each(documents)('$name', (document) => {
  it.each(damages.filter(({ bytes }) => bytes(document) !== undefined))(
    'that is $name is CORRUPT_FILE with path and reason, stays as it is, and the others go on [US-1.1/15]',
    async ({ bytes, reason }) => {
      const root = await withNeighbour(document);
      const before = Buffer.from(bytes(document) ?? '');
      writeFileSync(pathOf(root, document), before);
      await expectCorrupt(root, document, reason);
      expect(readFileSync(pathOf(root, document)).equals(before)).toBe(true);
    },
  );

  it('that has 50 MB is CORRUPT_FILE and stays as it is', async () => {
    const root = await withNeighbour(document);
    const path = pathOf(root, document);
    writeFileSync(path, textOf(document.content));
    truncateSync(path, TOO_LARGE);
    const before = statSync(path);
    await expectCorrupt(root, document, /52428800 bytes/);
    const { size, ino, mtimeMs, ctimeMs } = statSync(path);
    expect({ size, ino, mtimeMs, ctimeMs }).toEqual({
      size: TOO_LARGE,
      ino: before.ino,
      mtimeMs: before.mtimeMs,
      ctimeMs: before.ctimeMs,
    });
  });

  it('that is in order can be read, changed and listed', async () => {
    const root = await withNeighbour(document);
    writeFileSync(pathOf(root, document), textOf(document.content));
    const store = openFileStore({ root });
    expect(await document.read(store)).toEqual(document.content);
    if (document.list) expect(await document.list(store)).toMatchObject({ items: { length: 2 }, damaged: [] });
    await document.update(store);
    expect(await document.read(openFileStore({ root }))).not.toEqual(document.content);
  });
});

it('a damaged counter of issue numbers is CORRUPT_FILE, so that no number is given twice', async () => {
  const root = temporaryFolder();
  const store = openFileStore({ root });
  await store.issues.create(anIssue());
  const counter = join(root, 'state/issue-numbers.json');
  writeFileSync(counter, '{"last":"1"}');
  await expect(store.issues.create(anIssue())).rejects.toMatchObject({
    code: 'CORRUPT_FILE',
    details: { path: counter },
  });
  expect(readFileSync(counter, 'utf8')).toBe('{"last":"1"}');
});

async function expectCorrupt(root: string, document: Document, reason: RegExp): Promise<void> {
  const path = pathOf(root, document);
  const store = openFileStore({ root });
  const corrupt = { code: 'CORRUPT_FILE', details: { path, reason: expect.stringMatching(reason) } };
  await expect(document.read(store)).rejects.toMatchObject(corrupt);
  await expect(document.update(store)).rejects.toMatchObject(corrupt);
  if (document.list) {
    expect(await document.list(store)).toMatchObject({ items: { length: 1 }, damaged: [corrupt] });
  }
  await expect.poll(() => litterIn(root)).toEqual([]);
}

async function withNeighbour(document: Document): Promise<string> {
  const root = temporaryFolder();
  await document.write(openFileStore({ root, sync: false }));
  mkdirSync(dirname(pathOf(root, document)), { recursive: true });
  return root;
}

const withWrongTypes = (content: object): object =>
  Object.fromEntries(Object.entries(content).map(([key, value]) => [key, typeof value === 'number' ? 'many' : 7]));

function withInvalidByte(text: string): Buffer {
  const bytes = Buffer.from(text);
  bytes[text.indexOf(':') + 3] = 0xff;
  return bytes;
}
