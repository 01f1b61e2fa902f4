import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/*
 * Which room may import which, as data. A room that is not named here may not exist; an arrow that is not named here
 * may not be drawn. Tests are exempt.
 */
const ENGINE = ['hub', 'monitor', 'inbox', 'memory', 'board'];
const SURFACES = ['cli', 'server', 'mcp', 'extension'];

const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  ports: ['protocol'],
  hub: ['protocol', 'ports', 'memory'],
  monitor: ['protocol', 'ports', 'hub'],
  inbox: ['protocol', 'ports', 'hub', 'board'],
  search: ['protocol', 'ports'],
  memory: ['protocol', 'ports', 'search'],
  board: ['protocol', 'ports'],
  workflow: ['protocol'],
  render: ['protocol'],
  report: ['protocol', 'ports', 'hub'],
  run: ['protocol', 'ports', 'workflow', 'hub', 'inbox', 'memory', 'board'],
  storage: ['protocol', 'ports', 'search'],
  ambiguity: [],
  agents: ['protocol', 'ports', 'memory', 'ambiguity'],
  github: ['protocol', 'ports', 'render'],
  notify: ['protocol', 'ports', 'render'],
  app: ['protocol', 'ports', 'workflow', 'render', 'report', 'run', 'storage', 'agents', 'github', 'notify', ...ENGINE],
  // The command line also starts the other surfaces.
  cli: ['app', 'protocol', 'render', 'server', 'mcp'],
  server: ['app', 'protocol', 'ports'],
  mcp: ['app', 'protocol', 'render'],
  // The extension also starts the page, and the command line that comes with it.
  extension: ['app', 'protocol', 'render', 'server', 'cli'],
  'index.ts': ['app', 'ports', 'protocol', 'storage', 'memory', 'agents', 'ambiguity'],
};

/** Packages and Node modules that only some rooms may use; every room but the protocol may use the others. */
const ONLY_IN: Readonly<Record<string, readonly string[]>> = {
  'node:fs': ['storage/files', 'agents', 'app'],
  'node:fs/promises': ['storage/files', 'agents', 'app'],
  pg: ['storage/postgres'],
  vscode: ['extension/editor'],
};
const PROTOCOL_PACKAGES = ['zod/mini'];

const root = resolve(import.meta.dirname, '..');
const sourceFiles = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join(root, 'src', file), 'utf8') }));

/** The extension's sources, as if its folder were a room of src/. */
const extensionFiles = readdirSync(join(root, 'extension/src'), { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => ({
    file: `extension/${file}`,
    text: readFileSync(join(root, 'extension/src', file), 'utf8').replaceAll('../src/', ''),
  }));

const files = [...sourceFiles, ...extensionFiles];

const pageFiles = readdirSync(join(root, 'web/src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(?:tsx?|css)$/.test(file))
  .map((file) => ({ file: `web/${file}`, text: readFileSync(join(root, 'web/src', file), 'utf8') }));

interface Import {
  readonly file: string;
  readonly target: string;
}

/** Every import of a source file, dynamic ones and types included, as the compiler sees them. */
function importsOf({ file, text }: { file: string; text: string }): Import[] {
  return ts.preProcessFile(text).importedFiles.map(({ fileName }) => {
    if (!fileName.startsWith('.')) return { file, target: fileName };
    return { file, target: `./${relative(join(root, 'src'), join(root, 'src', dirname(file), fileName))}` };
  });
}

const roomOf = (path: string): string => path.replace(/^\.\//, '').split('/')[0] ?? path;

function complaints(imports: readonly Import[]): string[] {
  return imports.flatMap(({ file, target }) => {
    const room = roomOf(file);
    if (target.startsWith('./')) {
      const other = roomOf(target);
      const isAllowed = other === room || MAY_IMPORT[room]?.includes(other);
      return isAllowed ? [] : [`${file} imports ${target}: ${room} may import ${MAY_IMPORT[room]?.join(', ')}`];
    }
    if (room === 'protocol' && !PROTOCOL_PACKAGES.includes(target)) return [`${file} imports ${target}`];
    const rooms = ONLY_IN[target];
    const isAllowed = rooms === undefined || rooms.some((allowed) => file.startsWith(`${allowed}/`));
    return isAllowed ? [] : [`${file} imports ${target}: only ${rooms.join(', ')} may`];
  });
}

/** The groups of files that import each other in a circle, including dynamic imports and types (Tarjan's algorithm). */
function circles(imports: readonly Import[]): string[][] {
  const graph = new Map<string, string[]>();
  for (const { file, target } of imports) {
    if (!target.startsWith('./')) continue;
    graph.set(file, [...(graph.get(file) ?? []), target.slice(2).replace(/\.js$/, '.ts')]);
  }
  const cycles: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    let low = order.size - 1;
    open.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      if (open.includes(next)) low = Math.min(low, lowest.get(next) ?? order.get(next) ?? low);
    }
    lowest.set(file, low);
    if (low !== order.get(file)) return;
    const circle = open.splice(open.indexOf(file));
    if (circle.length > 1) cycles.push(circle.sort());
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return cycles;
}

const sources = [
  ...files,
  ...readdirSync(join(root, 'web', 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .map((file) => ({ file: `web/${file}`, text: readFileSync(join(root, 'web', 'src', file), 'utf8') })),
];

const ORIGIN = /origin(?!al)/i;
/** Methods that take a text apart, or test its beginning or end. */
const TAKES_APART = /^(?:split|startsWith|endsWith|slice|substring|indexOf|match|replace|replaceAll|test|exec)$/;

/** Finds statements about an origin, or functions named after one, that take a text apart or write one with a slash. */
function takenApart({ file, text }: { file: string; text: string }): string[] {
  if (!ORIGIN.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const problems: string[] = [];
  const visit = (node: ts.Node, isAboutOrigins: boolean): void => {
    const isAbout = isAboutOrigins || (isSmallStatement(node) && ORIGIN.test(node.getText(source)));
    const isOffence =
      (ts.isTemplateExpression(node) &&
        [node.head, ...node.templateSpans.map(({ literal }) => literal)].some(hasSlash)) ||
      (ts.isCallExpression(node) &&
        ts.isPropertyAccessExpression(node.expression) &&
        TAKES_APART.test(node.expression.name.text));
    if (isAbout && isOffence) {
      problems.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`);
    }
    const isNamed = ts.isFunctionDeclaration(node) && ORIGIN.test(node.name?.text ?? '');
    ts.forEachChild(node, (child) => visit(child, isAbout || isNamed));
  };
  visit(source, false);
  return [...new Set(problems)];
}

const hasSlash = ({ text }: { readonly text: string }): boolean => text.includes('/');

/** A statement that contains no others. */
function isSmallStatement(node: ts.Node): boolean {
  return (
    ts.isVariableStatement(node) ||
    ts.isExpressionStatement(node) ||
    ts.isReturnStatement(node) ||
    ts.isIfStatement(node)
  );
}

/** Where a file names the store of an app, or the port of stores. */
function storesIn({ file, text }: { file: string; text: string }): string[] {
  if (!/\bstore\b/.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const problems: string[] = [];
  const visit = (node: ts.Node): void => {
    const isNamed = ts.isIdentifier(node) && node.text === 'store';
    const isPicked = ts.isLiteralTypeNode(node) && node.getText() === "'store'";
    const isImported = ts.isStringLiteral(node) && /ports\/store\.js$/.test(node.text);
    if (isNamed || isPicked || isImported) {
      problems.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...new Set(problems)];
}

/** The names of types in the public signatures of the app's class, without those of the language. */
function typesOfApp(text: string): ReadonlySet<string> {
  const source = ts.createSourceFile('app.ts', text, ts.ScriptTarget.Latest, true);
  const names = new Set<string>();
  const collect = (node: ts.Node | undefined): void => {
    if (node === undefined) return;
    if (ts.isTypeReferenceNode(node) && !OF_THE_LANGUAGE.has(node.typeName.getText()))
      names.add(node.typeName.getText());
    ts.forEachChild(node, collect);
  };
  for (const member of source.statements.filter(ts.isClassDeclaration).flatMap(({ members }) => [...members])) {
    if (!ts.isPropertyDeclaration(member) || ts.isPrivateIdentifier(member.name)) continue;
    collect(member.type);
    if (member.initializer === undefined || !ts.isArrowFunction(member.initializer)) continue;
    for (const parameter of member.initializer.parameters) collect(parameter.type);
    collect(member.initializer.type);
  }
  return names;
}

const OF_THE_LANGUAGE = new Set([
  'AbortSignal',
  'ArrayBuffer',
  'Omit',
  'Pick',
  'Promise',
  'Readonly',
  'ReadonlyMap',
  'Uint8Array',
]);

const textOf = (path: string): string => files.find(({ file }) => file === path)?.text ?? '';

/** What the package exports by name, including what `export type *` passes on. */
function exportedNames(path = 'index.ts'): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of ts.createSourceFile(path, textOf(path), ts.ScriptTarget.Latest).statements) {
    if (!ts.isExportDeclaration(statement)) continue;
    const { exportClause, moduleSpecifier } = statement;
    if (exportClause !== undefined && ts.isNamedExports(exportClause)) {
      for (const { name } of exportClause.elements) names.add(name.text);
    } else if (moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier)) {
      for (const name of exportedNames(moduleSpecifier.text.replace('./', '').replace(/\.js$/, '.ts'))) names.add(name);
    }
  }
  return names;
}

/** Lines of comments that speak of a person or a program without saying which. */
function vagueComments({ file, text }: { file: string; text: string }): string[] {
  const comment = /^\s*(?:\/?\*|\/\/|\{\/\*).*|\s\/\/ .*$/;
  return text.split('\n').flatMap((line, index) => {
    const [words = ''] = comment.exec(line) ?? [];
    return /\b(?:who(?:m)?ever|(?:no|some|every|any)body)\b/i.test(words) ? [`${file}:${index + 1}`] : [];
  });
}

describe('the house', () => {
  it('has only rooms that the plan names', () => {
    expect(files.length).toBeGreaterThan(20);
    expect([...new Set(files.map(({ file }) => roomOf(file)))].filter((room) => !(room in MAY_IMPORT))).toEqual([]);
  });

  it('has no import against the arrows', () => {
    const imports = files.flatMap(importsOf);
    expect(imports.length).toBeGreaterThan(50);
    expect(complaints(imports)).toEqual([]);
  });

  it('draws no arrow that nothing uses', () => {
    const used = new Set(files.flatMap(importsOf).map(({ file, target }) => `${roomOf(file)} -> ${roomOf(target)}`));
    const drawn = Object.entries(MAY_IMPORT).flatMap(([room, others]) => others.map((other) => `${room} -> ${other}`));
    expect(drawn.filter((arrow) => !used.has(arrow))).toEqual([]);
  });

  it('finds a forbidden import, static or dynamic', () => {
    const forbidden = [
      { file: 'protocol/question.ts', text: "import { JsonFile } from '../storage/files/json-file.js';" },
      { file: 'protocol/run.ts', text: "const crypto = await import('node:crypto');" },
      { file: 'hub/ask.ts', text: "import { readFileSync } from 'node:fs';" },
      { file: 'render/thread.ts', text: "import type { Store } from '../ports/store.js';" },
      { file: 'storage/in-memory/store.ts', text: "export { writeFile } from 'node:fs/promises';" },
    ];
    for (const file of forbidden) expect(complaints(importsOf(file)), file.file).toHaveLength(1);
  });

  it('has no files that import each other in a circle', () => {
    expect(circles(files.flatMap(importsOf))).toEqual([]);
  });

  it('finds a circle, through a dynamic import or a type too', () => {
    const three = [
      { file: 'hub/a.ts', text: "import { b } from './b.js';" },
      { file: 'hub/b.ts', text: "const { c } = await import('./c.js');" },
      { file: 'hub/c.ts', text: "import type { A } from './a.js';" },
      { file: 'hub/d.ts', text: "import { a } from './a.js';" },
    ];
    expect(circles(three.flatMap(importsOf))).toEqual([['hub/a.ts', 'hub/b.ts', 'hub/c.ts']]);
  });

  it('has no agent answer from within the inbox', () => {
    const routing = ['./hub/conversation.js', './hub/target-turn.js', './hub/agent-turn.js'];
    const imports = files.filter(({ file }) => roomOf(file) === 'inbox').flatMap(importsOf);
    expect(imports.length).toBeGreaterThan(20);
    expect(imports.filter(({ target }) => routing.includes(target))).toEqual([]);
  });

  it('makes origins, and takes them apart, in one file', () => {
    // In the server, an origin is that of a browser.
    const others = sources.filter(({ file }) => file !== 'protocol/origin.ts' && roomOf(file) !== 'server');
    expect(others.flatMap(takenApart)).toEqual([]);
  });

  it('finds an origin that is made or taken apart elsewhere', () => {
    const planted = [
      "const [run, step] = origin.split('/');",
      `const isOwn = record.origin?.startsWith(\`\${id}/\`);`,
      'const own = originsOf(question).every((one) => one.startsWith(cause));',
      'if (HANDED.test(origin)) skip();',
      `await keep({ origin: \`\${id}/rejected\` });`,
      `const originOf = (act: string) => \`\${turn}/\${act}\`;`,
      `function turnOrigin(run: string, turn: number) { return \`\${run}/\${turn}\`; }`,
    ];
    for (const text of planted) expect(takenApart({ file: 'inbox/x.ts', text }), text).toEqual(['inbox/x.ts:1']);
    const others = `const original = path.split('/'); const { origin } = question; log(\`\${issue}/\${round}\`);`;
    expect(takenApart({ file: 'inbox/x.ts', text: others })).toEqual([]);
  });

  it('asks the app, not its store, on every surface', () => {
    const rooms = [...SURFACES, 'render'];
    expect(files.filter(({ file }) => rooms.includes(roomOf(file))).flatMap(storesIn)).toEqual([]);
  });

  it('finds a surface that goes round the app to its store', () => {
    const planted = [
      'const question = await app.store.questions.read(id);',
      'const look = ({ store }: App) => store.runs.list();',
      "type Reading = Pick<App, 'store' | 'clock'>;",
      "import type { Store } from '../ports/store.js';",
    ];
    for (const text of planted) expect(storesIn({ file: 'cli/x.ts', text }), text).toEqual(['cli/x.ts:1']);
    const others = "c.header('cache-control', 'no-store'); // what is in the store\nconst stored = read();";
    expect(storesIn({ file: 'server/x.ts', text: others })).toEqual([]);
  });

  it('exports every type that the app mentions', () => {
    const mentioned = typesOfApp(`${textOf('app/app.ts')}${textOf('app/lookups.ts')}`);
    expect(mentioned.size).toBeGreaterThan(50);
    const exported = exportedNames();
    expect([...mentioned].filter((name) => !exported.has(name))).toEqual([]);
  });

  it('finds the types of members that others can call', () => {
    const text = `export class OpenedApp {
      readonly log: Log;
      readonly #store: Store;
      readonly ask = async (request: AskRequest): Promise<Omit<HubResult, 'a'>> => this.#ports() as Hidden;
      #ports(): Ports {}
    }`;
    expect([...typesOfApp(text)].toSorted()).toEqual(['AskRequest', 'HubResult', 'Log']);
  });

  it('lets only entry points of the surfaces and the index name createApp', () => {
    const entryPoints = /^(?:index|app\/create-app|(?:cli|server|mcp)\/main|extension\/editor\/projects)\.ts$/;
    const callers = files.filter(({ file, text }) => /\bcreateApp\(/.test(text) && !entryPoints.test(file));
    expect(callers.map(({ file }) => file)).toEqual([]);
  });

  it('reads environment variables in the app alone', () => {
    const readers = files.filter(({ file, text }) => /process\.env/.test(text) && roomOf(file) !== 'app');
    expect(readers.map(({ file }) => file)).toEqual([]);
  });

  it('takes time from the clock port in the engine', () => {
    const rooms = ['protocol', 'ports', 'workflow', 'render', 'report', 'run', ...ENGINE, ...SURFACES];
    const clocks = files.filter(
      ({ file, text }) => rooms.includes(roomOf(file)) && /Date\.now\(|new Date\(\)/.test(text),
    );
    expect(clocks.map(({ file }) => file)).toEqual([]);
  });

  it('names the subject in every comment', () => {
    expect([...files, ...pageFiles].flatMap(vagueComments)).toEqual([]);
  });

  it('finds a comment without a named subject, but not a text', () => {
    const text = "/** What nobody\n * and whoever reads. */\nconst a = 'Nobody answered.'; // Somebody else.\n";
    expect(vagueComments({ file: 'hub/x.ts', text })).toEqual(['hub/x.ts:1', 'hub/x.ts:2', 'hub/x.ts:3']);
    expect(vagueComments({ file: 'hub/x.ts', text: "log('Nobody could be asked.');" })).toEqual([]);
  });

  it('is written in ASCII [CL-1/15]', () => {
    // Biome keeps escapes as they are written, so a character beyond ASCII was typed.
    const offenders = files.filter(({ text }) => [...text].some((character) => character.charCodeAt(0) > 126));
    expect(offenders.map(({ file }) => file)).toEqual([]);
  });
});
