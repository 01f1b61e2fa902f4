import { expect, it } from 'vitest';
import { artifactLine, artifactPlaces } from './artifact-places.js';

it('finds each artifact in its own line, also where its path is the end of another', () => {
  const artifacts = ['a.md', 'docs/a.md'].map((path) => ({ path, agent: 'engineer', file: `/repo/${path}` }));
  const text = ['See docs/a.md and a.md.', '  Artifacts:', ...artifacts.map(artifactLine), ''].join('\n');
  const places = artifactPlaces(text, artifacts);
  expect(places.map(({ from, to, file }) => [text.slice(from, to), file])).toEqual([
    ['a.md', '/repo/a.md'],
    ['docs/a.md', '/repo/docs/a.md'],
  ]);
  expect(text.slice(0, places[0]?.from)).toMatch(/\n {4}$/);
  expect(artifactPlaces('', artifacts)).toEqual([]);
});
