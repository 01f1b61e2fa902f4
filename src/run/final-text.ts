import type { Question } from '../protocol/question.js';
import type { RunPorts } from './ports.js';

/**
 * What a run that is left to humans says at its end: of each question what it is about, with both positions where agents
 * could not agree, what may be chosen, and its id.
 */
export async function finalText({ store }: RunPorts, waitingOn: readonly string[]): Promise<string | undefined> {
  const found = await Promise.all(waitingOn.map((id) => store.questions.read(id)));
  const open = found.filter((question) => question !== undefined).filter(({ status }) => status === 'open');
  return open.length === 0 ? undefined : open.map(textOf).join('\n\n');
}

function textOf({ id, kind, askedBy, questions }: Question): string {
  const head = kind === 'escalation' ? `Escalated to a human (${id}).` : `The ${askedBy.agent} asks a human (${id}).`;
  const parts = questions.flatMap(({ text, options = [] }) => [
    text,
    ...(options.length === 0
      ? []
      : [`Options: ${options.map((option) => `${option.id}) ${option.label}`).join('  ')}`]),
  ]);
  return [head, ...parts].join('\n');
}
