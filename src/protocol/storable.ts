import { AgentXError } from './errors.js';
import { parseObservationId } from './ids.js';
import { countCharacters, MAX_OBSERVATION_CHARACTERS } from './limits.js';
import type { Observation } from './observation.js';
import { redact } from './redact.js';

const MAX_SUMMARY_CHARACTERS = 300;

/** What may be written of an observation: no secrets, nothing private, no more than the limits. */
export function storable(observation: Observation): Observation {
  requireOwnId(observation);
  const content = storableText(observation.content);
  // A part of a text that is written anyway reveals nothing more.
  const isPart =
    content.includes(observation.summary) && countCharacters(observation.summary) <= MAX_SUMMARY_CHARACTERS;
  const summary = isPart ? observation.summary : storableText(observation.summary, MAX_SUMMARY_CHARACTERS);
  const isSame = content === observation.content && summary === observation.summary;
  return isSame ? observation : { ...observation, content, summary };
}

/** A text without secrets and private parts, cut at a number of characters. */
function storableText(text: string, max: number = MAX_OBSERVATION_CHARACTERS): string {
  const cleanText = redact(text);
  if (countCharacters(cleanText) <= max) return cleanText;
  const characters = [...cleanText].slice(0, max - 3).join('');
  return `${characters.trimEnd()}...`;
}

/** The issue in its id is where an observation is looked for. */
function requireOwnId({ id, issueNumber }: Observation): void {
  if (parseObservationId(id).issueNumber === issueNumber) return;
  throw new AgentXError('INVALID_INPUT', `${id} is the id of another issue than #${issueNumber}.`, { id, issueNumber });
}
