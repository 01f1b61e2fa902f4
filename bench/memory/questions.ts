import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Observation } from '../../src/protocol/observation.js';
import { SESSIONS } from './labelled.js';
import { observation } from './made-observation.js';

interface LabelledQuestion {
  readonly question: string;
  /** The id of the observation that answers it. */
  readonly answer: string;
}

/** Notes of sessions, and questions that some of them answer. */
export interface LabelledSet {
  readonly name: string;
  readonly observations: readonly Observation[];
  readonly questions: readonly LabelledQuestion[];
}

interface Session {
  readonly notes: readonly string[];
  /** Notes of other sessions that have words of a question and answer something else. */
  readonly negatives: readonly string[];
  readonly asked: readonly { readonly question: string; readonly place: number }[];
}

/** `near`, `far` and `german` have two halves: weights and words were chosen with the first, nothing was with the second. */
export function labelledSets(): readonly LabelledSet[] {
  const first = SESSIONS.map(({ question, notes, negatives }) => ({
    notes,
    negatives,
    asked: [{ question, place: 0 }],
  }));
  const halves = (['near', 'far', 'german'] as const).flatMap((name) => {
    const sessions = sessionsIn(`${name}.txt`);
    return [0, 1].map((half) => ({
      name: `${name}, ${half === 0 ? 'tuned on' : 'held out'}`,
      sessions: sessions.filter((_, place) => place % 2 === half),
    }));
  });
  return [{ name: 'first', sessions: first }, ...halves].map(({ name, sessions }, set) =>
    labelledSet(name, sessions, set),
  );
}

/** Every session in an issue of its own, what only looks like an answer in another. */
function labelledSet(name: string, sessions: readonly Session[], set: number): LabelledSet {
  let number = set * 10_000;
  const questions: LabelledQuestion[] = [];
  const observations = sessions.flatMap(({ notes, negatives, asked }, place) => {
    const issueNumber = 9000 + set * 1000 + place;
    const noteObservations = notes.map((content) =>
      observation({ number: number++, issueNumber, content, sessionId: `l-${issueNumber}` }),
    );
    for (const { question, place: at } of asked) questions.push({ question, answer: noteObservations[at]?.id ?? '' });
    const others = negatives.map((content, index) =>
      observation({
        number: number++,
        issueNumber: issueNumber + 500,
        content,
        sessionId: `n-${issueNumber}-${index}`,
      }),
    );
    return [...noteObservations, ...others];
  });
  return { name, observations, questions };
}

/** Sessions are apart by an empty line: `- a note`, `x a negative`, `?2 a question that the second note answers`. */
function sessionsIn(name: string): readonly Session[] {
  const file = fileURLToPath(new URL(`../memory/${name}`, import.meta.url));
  return readFileSync(file, 'utf8')
    .trim()
    .split(/\n{2,}/)
    .map((block) => {
      const lines = block.split('\n');
      const withMark = (mark: string) => lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(2));
      const questions = lines.flatMap((line) => {
        const [, place, question] = /^\?(\d+) (.+)$/.exec(line) ?? [];
        return question === undefined ? [] : [{ question, place: Number(place) - 1 }];
      });
      return { notes: withMark('- '), negatives: withMark('x '), asked: questions };
    });
}
