import { writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { bodiesOf, othersText, programText } from '../scripts/link-program.mjs';
import { temporaryFolder } from './support/temporary-folder.js';

describe('a linked program', () => {
  it('evaluates a module when something of it is first used', async () => {
    const said = await saidBy({
      'main.ts': `
        import { late } from './late.js';
        import { never } from './never.js';
        import type { Shape } from './shape.js';
        const shape: Shape = 'round';
        said('main', shape);
        said(late(), late());
        export const unused = () => never;`,
      'late.ts': `said('late is evaluated'); export const late = () => 'late';`,
      'never.ts': `said('never is evaluated'); export const never = 1;`,
      'shape.ts': `said('shape is evaluated'); export type Shape = string;`,
    });
    expect(said).toEqual([['main', 'round'], ['late is evaluated'], ['late', 'late']]);
  });

  it('means by every name what the sources mean', async () => {
    const said = await saidBy({
      'main.ts': `#!/usr/bin/env node
        import { join } from 'node:path';
        import colours from 'picocolors';
        import * as z from 'zod/mini';
        import read, { count as howMany, next } from './counter.js';
        import { Base, passedOn } from './passed-on.js';
        class Derived extends Base {}
        function load(require: string, exports: number) { return join(require, String(exports), howMany.toString()); }
        next();
        said(howMany, read(), load('a', 1), new Derived().name, passedOn);
        said(z.safeParse(z.string(), 1).success, typeof colours.createColors);
        import('./counter.js').then(({ count, default: other }) => said(count, other === read));`,
      'counter.ts': `export let count = 0; export function next() { count += 1; } export default () => count;`,
      'passed-on.ts': `export { Base } from './base.js'; export { count as passedOn } from './counter.js';`,
      'base.ts': `export class Base { name = 'derived'; }`,
    });
    expect(said).toEqual([
      [1, 1, 'a/1/1', 'derived', 1],
      [false, 'function'],
      [1, true],
    ]);
  });

  it('has modules that import each other', async () => {
    const said = await saidBy({
      'main.ts': `import { even } from './even.js'; said(even(4));`,
      'even.ts': `import { odd } from './odd.js'; export const even = (n: number): boolean => n === 0 || odd(n - 1);`,
      'odd.ts': `import { even } from './even.js'; export const odd = (n: number): boolean => n !== 0 && even(n - 1);`,
    });
    expect(said).toEqual([[true]]);
  });

  it('has modules whose functions are called while what they import is evaluated', async () => {
    const said = await saidBy({
      'main.ts': `import { run } from './outer.js'; run();`,
      'outer.ts': `
        import * as inner from './inner.js';
        import { last } from './last.js';
        export const run = () => said(inner.value);
        export function early() { return last; }`,
      'inner.ts': `import { early } from './outer.js'; export const value = early();`,
      'last.ts': `export const last = 'last';`,
    });
    expect(said).toEqual([['last']]);
  });

  it('takes from its second file what is not in the first', async () => {
    const files = {
      'main.ts': `import { other } from './other.js'; said(other);`,
      'other.ts': `import { base } from './base.js'; export const other = base + 1;`,
      'base.ts': `export const base = 1;`,
    };
    expect(await saidBy(files, (name) => name.endsWith('other.ts'))).toEqual([[2]]);
  });

  it('is not made of a source that says one of its own names', async () => {
    const files = {
      'main.ts': `import { at } from './at.js'; said('import_at.at', at);`,
      'at.ts': `export const at = 1;`,
    };
    await expect(saidBy(files)).rejects.toThrow(/main\.ts says import_at, which is a name of linked programs/);
  });

  it('is not made of a module that is imported for its effects alone, which it would not have', async () => {
    const files = { 'main.ts': `import './effect.js';`, 'effect.ts': `said('effect');` };
    await expect(saidBy(files)).rejects.toThrow(/main\.ts only imports \.\/effect\.js: nothing would evaluate it/);
  });

  it.each([
    ["import path from 'node:path'; said(path);", /imports the default of node:path/],
    ["import('picocolors').then(said);", /imports picocolors as a whole/],
    ['said(import.meta.url);', /needs import_meta/],
  ])('is not made of %s, which would mean something else', async (source, problem) => {
    await expect(saidBy({ 'main.ts': source })).rejects.toThrow(problem);
  });
});

/** What a program passes to `said`, call by call. */
async function saidBy(files: Readonly<Record<string, string>>, isInSecond: (name: string) => boolean = () => false) {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const entry = join(folder, 'main.ts');
  const bodies = [...(await bodiesOf(entry, { outside: (name) => (isBuiltin(name) ? name : undefined) }))];
  const first = new Map(bodies.filter(([name]) => !isInSecond(name)));
  const second = new Map(bodies.filter(([name]) => isInSecond(name)));
  const said: unknown[][] = [];
  const module: { exports: unknown } = { exports: undefined };
  const context = {
    said: (...values: unknown[]) => said.push(values),
    module,
    require: (name: string) => {
      if (name !== './second.cjs') return process.getBuiltinModule(name);
      runInNewContext(othersText(second), context);
      return module.exports;
    },
    process,
  };
  runInNewContext(programText(entry, first, './second.cjs'), context);
  // What the program imports later.
  await new Promise(setImmediate);
  return said.map((values) => [...values]);
}
