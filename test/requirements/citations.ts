import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

/**
 * A citation is a requirement's id in square brackets in the title of a test, a block of tests or a target. It is looked for
 * in the syntax tree, so that a comment or a string elsewhere is none. What is skipped, still to do or expected to fail
 * proves nothing: its citations, and those of all tests inside it, do not count.
 */
interface Citation {
  readonly id: string;
  readonly file: string;
}

/**
 * Test files below the folders, and what they import: contract suites are ordinary modules that test files call. Times are
 * promised by benchmarks, whose targets cite as titles of tests do.
 */
export function collectCitations(root: string, folders: readonly string[], except: readonly string[]): Citation[] {
  const waiting = [
    ...folders.flatMap((folder) => filesIn(join(root, folder), /\.test\.tsx?$/)),
    ...filesIn(join(root, 'bench'), /\.ts$/),
  ];
  const visited = new Set(except.map((file) => join(root, file)));
  const citations: Citation[] = [];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (visited.has(file)) continue;
    visited.add(file);
    const text = readFileSync(file, 'utf8');
    citations.push(...citedIds(file, text).map((id) => ({ id, file: relative(root, file) })));
    waiting.push(...importsOf(file, text));
  }
  return citations;
}

export function citedIds(file: string, text: string): string[] {
  const ids: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const words = calledWords(node.expression);
      if (testWords.has(words[0] ?? '')) {
        if (words.some((word) => idleWords.has(word))) return;
        const title = node.arguments[0];
        if (title !== undefined) ids.push(...idsIn(literalText(title)));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return ids;
}

const testWords: ReadonlySet<string> = new Set(['it', 'test', 'describe', 'suite', 'target']);
const idleWords: ReadonlySet<string> = new Set(['skip', 'todo', 'fails']);

/** `it.concurrent.each(table)(...)` is called by the words it, concurrent and each. */
function calledWords(callee: ts.Expression): string[] {
  if (ts.isIdentifier(callee)) return [callee.text];
  if (ts.isPropertyAccessExpression(callee)) return [...calledWords(callee.expression), callee.name.text];
  if (ts.isCallExpression(callee)) return calledWords(callee.expression);
  if (ts.isTaggedTemplateExpression(callee)) return calledWords(callee.tag);
  return [];
}

/** The written parts of a title, whether it is a plain string, a template or a sum of them. */
function literalText(node: ts.Node): string {
  if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
    return node.text;
  }
  const parts: string[] = [];
  ts.forEachChild(node, (child) => {
    parts.push(literalText(child));
  });
  return parts.join('');
}

/** Takes all up to the closing bracket: a misspelt or combined id must come out as an unknown one, not as none. */
function idsIn(title: string): string[] {
  return [...title.matchAll(/\[((?:US|CL|ME|PM|OQ|X)-[^\]]*)\]/g)].flatMap((match) => match[1] ?? []);
}

function importsOf(file: string, text: string): string[] {
  return ts
    .preProcessFile(text)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => join(dirname(file), fileName.replace(/\.js$/, '.ts')))
    .filter((path) => path.endsWith('.ts') && existsSync(path));
}

function filesIn(folder: string, name: RegExp): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' || entry.name === 'dist' ? [] : filesIn(path, name);
    return name.test(entry.name) ? [path] : [];
  });
}
