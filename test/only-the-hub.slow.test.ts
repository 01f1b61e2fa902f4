import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/*
 * An agent reaches another one only through the hub. What could lead around it is stated here as data: programs, the
 * runners that start them, what asks a runner for a turn, and the brief of an answer.
 */

const source = resolve(import.meta.dirname, '../src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join(source, file), 'utf8') }));

const importing = (end: string) =>
  files
    .filter(({ text }) => ts.preProcessFile(text).importedFiles.some(({ fileName }) => fileName.endsWith(end)))
    .map(({ file }) => file)
    .sort();

/** Every call with arguments, as `file name`. */
const calls = files.flatMap(({ file, text }) => {
  const matches = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.arguments.length > 0) {
      const callee = node.expression;
      if (ts.isPropertyAccessExpression(callee)) matches.add(`${file} ${callee.name.text}`);
      if (ts.isIdentifier(callee)) matches.add(`${file} ${callee.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return [...matches];
});
const calling = (name: string) =>
  calls.flatMap((call) => (call.endsWith(` ${name}`) ? (call.split(' ')[0] ?? '') : []));

describe('an agent that wants to ask another one', () => {
  it('finds no way around the hub: no other code has a target take a turn [US-2.1/1]', () => {
    expect(importing('node:child_process')).toEqual([
      // git, which tells what a turn has changed.
      'agents/git.ts',
      'agents/program.ts',
      // git and gh, which know the repository and its token.
      'app/git-remote.ts',
      'app/github-token.ts',
      // These start this program again, never an agent's.
      'cli/ask/route-later.ts',
      'cli/demo/answer-elsewhere.ts',
      'cli/notify/hand-over.ts',
      'cli/sync/beside.ts',
      // The server that a client is set up to start.
      'mcp/install/probe.ts',
    ]);
    expect(importing('/program.js')).toEqual([
      'agents/cli/cli-runner.ts',
      'agents/command.ts',
      // What a model may run as a tool: a command of the project, no agent.
      'agents/model/command-tool.ts',
      // What tells people that a question waits: a program of the user, no agent.
      'app/notices.ts',
    ]);
    expect(importing('/runner-for.js')).toEqual(['app/hub-ports.ts']);
    const haveTurnsTaken = calling('runnerFor').filter((file) => calling('run').includes(file));
    expect(haveTurnsTaken).toEqual(['hub/agent-turn.ts']);
    // The hub asks targets; a run asks a step's own agent, with the brief of its work.
    expect(calling('runAgent').sort()).toEqual(['hub/target-turn.ts', 'run/turn-with.ts']);
    // Only the hub composes the brief of a target.
    expect(calling('answerBrief')).toEqual(['hub/target-turn.ts']);
    expect(files.filter(({ text }) => text.includes("kind: 'answer'")).map(({ file }) => file)).toEqual([
      'hub/brief.ts',
    ]);
  });
});
