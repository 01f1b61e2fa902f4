import { AgentXError } from '../../protocol/errors.js';
import type { CommandLine } from '../command-line.js';
import { InPlace } from './in-place.js';
import { promptLines, reachOf } from './prompt-lines.js';
import { NOWHERE, openPrompt, press, type Reach } from './prompt-state.js';

const INTERRUPTED = 130;

/** Asks for a text in place. Leaving the prompt without one changes nothing. */
export async function askText(line: CommandLine, heading: string): Promise<string> {
  const head = { heading, countdown: '' };
  let state = openPrompt({ id: 'q1', text: heading });
  let reach: Reach = NOWHERE;
  let place: InPlace | undefined;
  const text = await new Promise<string | undefined>((resolve) => {
    place = new InPlace(line, {
      lines: (view) => {
        reach = reachOf(head, state, view);
        return promptLines(head, state, view);
      },
      press: async (key) => {
        const result = press(state, key, reach);
        if (result.type === 'changed') state = result.state;
        else resolve(result.type === 'answer' && 'text' in result.answer ? result.answer.text : undefined);
      },
      look: async () => {},
      interrupt: () => process.exit(INTERRUPTED),
    });
    place.draw();
  });
  place?.close();
  if (text !== undefined) return text;
  throw new AgentXError('INVALID_INPUT', 'Nothing was said, and nothing is done.');
}
