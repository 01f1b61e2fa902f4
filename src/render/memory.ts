import { issueLabel } from '../protocol/issue-label.js';
import { isCertain, type Observation, type ObservationIndex } from '../protocol/observation.js';
import { columnsOf } from './columns.js';
import { plainLine, plainText } from './plain-text.js';
import { labelled, type View } from './thread.js';
import { whenText } from './time.js';

/** What a list shows of an observation, with the part of its text that matches. */
export interface ShownObservation extends ObservationIndex {
  readonly text?: string;
  readonly matches?: readonly (readonly [start: number, end: number])[];
}

/** Each with its facts on one line and what it says below. */
export function renderObservations(entries: readonly ShownObservation[], view: View): string {
  return entries.map((entry) => renderEntry(entry, view)).join('\n');
}

function renderEntry(entry: ShownObservation, view: View): string {
  const text = entry.text === undefined ? plainLine(entry.summary) : marked(entry);
  return `${headOf(entry, view)}\n${labelled('  ', text, view.width)}`;
}

function headOf(entry: ObservationIndex, { paint, ...view }: View): string {
  const { id, category, agent, issueNumber, tokens, timestamp, archived } = entry;
  const facts = [category, agent, issueLabel(issueNumber), whenText(timestamp, { ...view }), `${tokens} tokens`];
  const text = [...facts, ...(archived ? ['archived'] : [])].join(', ');
  if (columnsOf(`${id} ${text}`) <= view.width) return `${paint.name(id)} ${paint.quiet(text)}`;
  return `${paint.name(id)}\n${paint.quiet(labelled('  ', text, view.width))}`;
}

/** Stars, because colour adds and never carries meaning: a search through a pipe shows its matches too. */
function marked({ text = '', matches = [] }: ShownObservation): string {
  let output = '';
  let at = 0;
  for (const [start, end] of matches) {
    output += `${plainText(text.slice(at, start))}*${plainText(text.slice(start, end))}*`;
    at = end;
  }
  return `${output}${plainText(text.slice(at))}`;
}

/** One observation in full. */
export function renderObservation(observation: Observation, view: View): string {
  const { width } = view;
  const { count, lastSeenAt, recallCount = 0, source, sessionId, mergedFrom, content } = observation;
  const sourceLine =
    source === undefined ? [] : [labelled('  Source:   ', plainLine(`${source.kind} ${source.id}`), width)];
  return [
    headOf(observation, view),
    labelled('  ', plainText(content), width),
    ...sourceLine,
    ...(isCertain(observation)
      ? []
      : [labelled('  Trust:    ', 'a hint, written down by an agent or a person; nothing was decided with it', width)]),
    labelled('  Session:  ', plainLine(sessionId), width),
    ...(count === undefined
      ? []
      : [`  Said:     ${count} times${lastSeenAt === undefined ? '' : `, last ${whenText(lastSeenAt, view)}`}`]),
    ...(recallCount === 0 ? [] : [`  Recalled: ${recallCount} times`]),
    ...(mergedFrom === undefined
      ? []
      : [
          labelled(
            '  Merged:   ',
            `${mergedFrom.length} observations; agentx memory restore ${observation.issueNumber}`,
            width,
          ),
        ]),
  ].join('\n');
}
