import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { build, transform } from 'esbuild';

/*
 * Links a program whose modules are evaluated when something of them is first used. A bundler evaluates a module when it
 * is imported, and a command imports far more than it uses: the schemas of all records are a thousand objects.
 *
 * Each module becomes a function, and what it imports is looked up where it is used. So `toEpochMs(at)` becomes
 * `(import_timestamp ??= __load("src/protocol/timestamp.ts")).toEpochMs(at)`. Only a namespace (`import * as z`) is
 * evaluated together with the module that imports it. A package is bundled as one module, with what is used of it.
 */

/**
 * The bodies of all modules that a program may need, by name. `outside` returns what `require` calls a module that is
 * not linked, such as one of Node. `compiler` and `bundler` are options of esbuild.
 */
export async function bodiesOf(entry, { outside, compiler, bundler }) {
  const bodies = new Map([[entry, '']]);
  const namesUsed = new Map();

  /** The expression that evaluates what `file` imports. */
  function lookup(specifier, file, names) {
    const isOurs = specifier.startsWith('.');
    const name = isOurs ? posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts') : specifier;
    const outsideName = outside(name);
    if (outsideName !== undefined && names.includes('default'))
      throw new Error(`${file} imports the default of ${specifier}, which has none where it is required.`);
    if (outsideName !== undefined) return `__require(${JSON.stringify(outsideName)})`;
    if (!isOurs && names.length === 0)
      throw new Error(`${file} imports ${specifier} as a whole: it is unknown what of it is used.`);
    if (isOurs) bodies.set(name, bodies.get(name) ?? '');
    else namesUsed.set(name, new Set([...(namesUsed.get(name) ?? []), ...names]));
    return `__load(${JSON.stringify(name)})`;
  }

  // What is added meanwhile is gone through too.
  for (const file of bodies.keys()) {
    let body = await compiled(file, compiler);
    for (const [statement, variable, specifier] of body.matchAll(IMPORT)) {
      const uses = new RegExp(`\\b${variable}\\.(\\w+)`, 'g');
      const names = [...body.matchAll(uses)].map(([, name]) => name);
      const isNamespace = !variable.startsWith('import_');
      if (!isNamespace && names.length === 0)
        throw new Error(`${file} only imports ${specifier}: nothing would evaluate it.`);
      const value = lookup(specifier, file, names);
      if (isNamespace) body = body.replace(statement, `const ${variable} = ${value};\n`);
      // Functions of the module may be called while a namespace above it is evaluated: `let` would refuse that.
      else body = body.replace(statement, `var ${variable};\n`).replace(uses, `(${variable} ??= ${value}).$1`);
    }
    const [unknown] = HELPERS.exec(body.replace(DYNAMIC_IMPORT, '')) ?? [];
    if (unknown !== undefined)
      throw new Error(`${file} needs ${unknown} of esbuild, which a linked program has not got.`);
    bodies.set(
      file,
      body.replace(DYNAMIC_IMPORT, (_, specifier) => lookup(specifier, file, [])),
    );
  }
  for (const [name, names] of namesUsed) bodies.set(name, await bundledPackage(name, names, bundler));
  return bodies;
}

/** As esbuild writes them. */
const IMPORT = /^var (\w+) = (?:__toESM\()?require\("([^"]+)"\)\)?;\n/gm;
/** Of `export * from` and of `import.meta`, for example. */
const HELPERS = /\b(?:__(?:reExport|toESM|using|callDispose)|import_meta)\b/;
const DYNAMIC_IMPORT = /__toESM\(require\("([^"]+)"\)\)/g;
const OUR_NAMES = /\b(?:import_\w+|__load|__require|__export)\b/;
const EXPORTS_BEGIN = 'var stdin_exports = {};\n__export(stdin_exports, ';
const EXPORTS_END = 'module.exports = __toCommonJS(stdin_exports);\n';

async function compiled(file, options) {
  const source = readFileSync(file, 'utf8');
  const [ourName] = OUR_NAMES.exec(source) ?? [];
  if (ourName !== undefined) throw new Error(`${file} says ${ourName}, which is a name of linked programs.`);
  // A module without exports would have none of the marks that follow the helpers of esbuild.
  const { code } = await transform(`${source}\nexport const _ = undefined;\n`, {
    ...options,
    loader: 'ts',
    format: 'cjs',
    supported: { 'dynamic-import': false },
  });
  const [beginning, body] = code.split(EXPORTS_END);
  return `__export(exports, ${beginning.split(EXPORTS_BEGIN)[1]}${body}`;
}

async function bundledPackage(name, names, options) {
  const contents = `export { ${[...names].join(', ')} } from '${name}';`;
  const { outputFiles } = await build({
    ...options,
    stdin: { contents, resolveDir: '.' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
  });
  return outputFiles[0].text;
}

/** The text of a program that begins with `entry`. It loads the file `others` for what is not among the bodies. */
export function programText(entry, bodies, others) {
  return `'use strict';
const evaluated = new Map();
const __require = require;
let others;
function __load(name) {
  const known = evaluated.get(name);
  if (known !== undefined) return known.exports;
  const evaluate = MODULES[name] ?? (others ??= require(${JSON.stringify(others)})(__load, __require, __export))[name];
  const module = { exports: {} };
  // First, because modules may import each other.
  evaluated.set(name, module);
  try {
    evaluate(module.exports, module);
  } catch (error) {
    evaluated.delete(name);
    throw error;
  }
  return module.exports;
}
function __export(target, all) {
  for (const name in all) Object.defineProperty(target, name, { get: all[name], enumerable: true });
}
const MODULES = ${objectOf(bodies)};
__load(${JSON.stringify(entry)});
`;
}

/** The text of the file `others` of a program. */
export const othersText = (bodies) =>
  `'use strict';\nmodule.exports = (__load, __require, __export) => (${objectOf(bodies)});\n`;

function objectOf(bodies) {
  const members = [...bodies].map(([name, body]) => `  ${JSON.stringify(name)}(exports, module) {\n${body}}`);
  return `{\n${members.join(',\n')}\n}`;
}
