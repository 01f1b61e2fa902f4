import * as z from 'zod/mini';
import type { Files } from '../../ports/files.js';
import type { Recall } from '../../ports/recall.js';
import type { LoopState } from './loop-state.js';
import { optional, type Tool, text, tool } from './tool.js';

/** What the model wrote and no engine has carried out yet is read as it will be. */
function pending({ parts }: LoopState, path: string): string | undefined {
  return parts.artifacts.findLast((artifact) => normal(artifact.path) === normal(path))?.content;
}

const normal = (path: string) => path.replace(/^(?:\.?\/)+/, '');

export function fileTools(files: Files): readonly Tool[] {
  return [
    tool({
      name: 'read_file',
      description: 'Reads a text file of the repository, with numbered lines.',
      input: z.object({
        path: text('From the root of the repository.'),
        from: z.optional(z.int().check(z.describe('The first line, from 1.'))),
        lines: z.optional(z.int().check(z.describe('How many lines; by default 400.'))),
      }),
      run: async ({ path, from, lines }, { state }) => {
        const pendingContent = pending(state, path);
        if (pendingContent !== undefined) return { result: pendingContent };
        return {
          result: await files.read({
            path,
            ...(from === undefined ? {} : { from }),
            ...(lines === undefined ? {} : { lines }),
          }),
        };
      },
    }),
    tool({
      name: 'list_files',
      description: 'Lists the files of the repository below a folder.',
      input: z.object({ folder: optional('From the root of the repository; by default all of it.') }),
      run: async ({ folder }, { state }) => {
        const pendingPaths = state.parts.artifacts.map(({ path }) => `${path} (yours, not written yet)`);
        const paths = await files.list(folder === undefined ? {} : { folder });
        return { result: [paths, ...pendingPaths].join('\n') };
      },
    }),
    tool({
      name: 'search_files',
      description: 'Finds the lines of the repository that contain a text, whatever its case. No patterns.',
      input: z.object({ text: text('The exact words.'), folder: optional('Only below this folder.') }),
      run: async ({ text, folder }) => ({
        result: await files.search({ text, ...(folder === undefined ? {} : { folder }) }),
      }),
    }),
  ];
}

export const writeArtifact: Tool = tool({
  name: 'write_artifact',
  description:
    'Writes a file of the repository, whole: the content replaces what is there. It is written when your turn ends or ' +
    'you ask; a path outside the repository, in .git or in .agentx is refused then.',
  input: z.object({ path: text('From the root of the repository.'), content: text('The whole content of the file.') }),
  run: ({ path, content }) => ({
    result: `${path} is kept: ${content.length} characters.`,
    parts: { artifacts: [{ path, content }] },
  }),
});

export function recallMemory(memory: Recall, who: { readonly agent: string; readonly issueNumber: number }): Tool {
  return tool({
    name: 'recall_memory',
    description: 'Searches what earlier work of this project decided, changed, stumbled over and found out.',
    input: z.object({ query: text('A few words.') }),
    run: async ({ query }) => ({ result: await memory.recall({ ...who, query }) }),
  });
}
