import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Chat, ChatReply } from '../../extension/src/chat/chat.js';
import { respond } from '../../extension/src/chat/respond.js';
import { createApp } from '../../src/app/create-app.js';
import { initFolder } from '../../src/app/init.js';
import type { RunnerFunction } from '../../src/ports/runner.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** One step in which an engineer may ask an architect once. */
const WORKFLOW = `[workflow]
name = "story"
type = "story"
[[steps]]
id = "implement"
title = "Implement {{title}}"
agent = "engineer"
can_clarify = ["architect"]
clarify_max_rounds = 1
`;

type Runners = Readonly<Record<string, RunnerFunction>>;

/** A project with one issue and agents that are functions. */
export async function aProject(runners: Runners = {}) {
  const { root } = initFolder({ repository: temporaryFolder() });
  writeFileSync(join(root, 'workflows/story.toml'), WORKFLOW);
  writeFileSync(join(root, 'config.toml'), '[clarify]\nretry_seconds = 0\n');
  const app = createApp({ root, env: {}, runners });
  onTestFinished(() => app.close());
  const { number } = await app.createIssue({ title: 'Health endpoint' });
  return { root, app, number };
}

/** A conversation with `@agentx`: every request knows what the answer before it left open. */
export function aChat(
  app: Chat['app'],
  {
    before,
    ...options
  }: Partial<Pick<Chat, 'isTrusted' | 'approvesPrograms' | 'signal'>> & {
    readonly before?: ChatReply | undefined;
  } = {},
) {
  let lastReply = before;
  const files: string[] = [];
  const say = async (prompt: string, command?: string, signal = new AbortController().signal): Promise<string> => {
    const parts: string[] = [];
    const chat: Chat = {
      app,
      sink: { markdown: (text) => parts.push(text), progress: () => {}, file: (path) => files.push(path) },
      principal: 'ada',
      isTrusted: true,
      approvesPrograms: async () => true,
      carries: () => () => {},
      signal,
      ...options,
    };
    lastReply = await respond(chat, { prompt, command, before: lastReply });
    // The editor keeps it as JSON.
    lastReply = JSON.parse(JSON.stringify(lastReply));
    return parts.join('\n\n');
  };
  return {
    say,
    files,
    get told() {
      return lastReply;
    },
  };
}

/** What the editor draws of it, as far as these answers use Markdown: marks and escapes gone, quotations opened. */
export function drawn(markdown: string): string {
  return markdown
    .replace(/^> ?/gm, '')
    .replace(/(?<!\\)\*+/g, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .replace(/\\([\\`*_[\]<>~|$@:.#+=)-])/g, '$1')
    .replace(/ {2}$/gm, '');
}
