import { dirname } from 'node:path';
import { AgentXError } from '../../../src/protocol/errors.js';
import { plainLine } from '../../../src/render/plain-text.js';
import type { ChatRequest } from './chat.js';
import { typedCommand } from './request.js';

/* In a window with several projects, a request to run an issue says in which one: `/run #42 in project bank`. */

interface Project {
  readonly name: string;
  /** The `.agentx` folder. */
  readonly root: string;
}

const NAMED = /^(#\d{1,9})?\s*in project\s+(\S[\s\S]*)$/i;

/** The text that asks for it in the chat. Without a number, it asks what is ready. */
export function runRequest(issueNumber: number | undefined, project: Project, all: readonly Project[]): string {
  const issue = issueNumber === undefined ? '' : `#${issueNumber}`;
  const where = all.length > 1 ? `in project ${nameAmong(project, all)}` : '';
  return `@agentx /run ${[issue, where].filter((word) => word !== '').join(' ')}`;
}

type Request = Pick<ChatRequest, 'command' | 'prompt'>;

/** The request without its project, and the project if it names one. NOT_FOUND if no such project is open. */
export function withoutProject<T extends Project>(
  request: Request,
  all: readonly T[],
): Request & { readonly project?: T } {
  const { command, prompt } = request.command === undefined ? typedCommand(request.prompt, ['run']) : request;
  const [, issue = '', name] = NAMED.exec(prompt.trim()) ?? [];
  if (command !== 'run' || name === undefined) return request;
  const project = all.find((one) => nameAmong(one, all) === name);
  if (project !== undefined) return { command, prompt: issue, project };
  const allowed = all.map((one) => nameAmong(one, all)).join(', ');
  throw new AgentXError('NOT_FOUND', `No project '${name}' is open in this window. Open: ${allowed || 'none'}.`, {
    name,
  });
}

/** Two folders may have the same name: then the path tells them apart. */
function nameAmong({ name, root }: Project, all: readonly Project[]): string {
  const ownName = plainLine(name).trim();
  const sameNamed = all.filter((one) => plainLine(one.name).trim() === ownName);
  return sameNamed.length > 1 || ownName === '' ? dirname(root) : ownName;
}
