import { expect, it } from 'vitest';
import { childrenNow, inChunks } from './chunks.js';

const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `r${index + 1}`, label: '' }));

it('leaves a list that the editor can take as it is', () => {
  const few = rows(250);
  expect(inChunks(few)).toBe(few);
});

it('folds what comes after the first rows, so that no node has many children and each row is there once', () => {
  const all = inChunks(rows(5000));
  expect(all).toHaveLength(250 + 19);
  expect(all[250]).toMatchObject({ id: 'chunk/251', label: '251 to 500', description: 'of 5000' });
  expect(all.at(-1)).toMatchObject({ label: '4751 to 5000' });
  const ids = all.flatMap(({ id, children }) => (children === undefined ? [id] : children.map((row) => row.id)));
  expect(ids).toEqual(rows(5000).map(({ id }) => id));
  expect(inChunks(rows(251)).at(-1)).toMatchObject({ label: '251 to 251', children: [{ id: 'r251' }] });
});

it('names folded rows after the row above them, because the editor refuses a name that it has already', () => {
  const [first, second] = ['clarifications/1', 'clarifications/2'].map(
    (id) => inChunks(rows(300), `${id}/`).at(-1)?.id,
  );
  expect(first).not.toBe(second);
});

it('shows below a folded row what is there now', () => {
  const [foldedRow = { id: '', label: '' }] = inChunks(rows(300)).slice(-1);
  const now = rows(300).map((row) => ({ ...row, label: 'changed' }));
  expect(childrenNow(now, foldedRow)).toEqual(now.slice(250));
  const thread = { id: 'r1', label: '', children: rows(2) };
  expect(childrenNow([thread], { ...thread, children: [] })).toEqual(rows(2));
  const inner = { id: 'r1/0', label: '', children: rows(1) };
  expect(childrenNow([thread], inner)).toEqual(rows(1));
});
