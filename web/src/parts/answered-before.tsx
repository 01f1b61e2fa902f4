import { useEffect, useState } from 'preact/hooks';
import type { AnsweredBefore } from '../../../src/protocol/answered-before.js';
import type { Question } from '../../../src/protocol/question.js';
import type { AnsweredBeforeBody } from '../../../src/protocol/rest.js';
import { plainLine } from '../../../src/render/plain-text.js';
import { request } from '../api.js';
import { at } from '../state.js';
import { Link } from './link.js';
import { Line, Text } from './text.js';
import { LocalTime } from './time.js';

/** What was decided when the same was asked before, or `undefined` while it is on its way. */
export function useAnsweredBefore({ id }: Pick<Question, 'id'>): readonly AnsweredBefore[] | undefined {
  const [result, setResult] = useState<{ readonly id: string; readonly before: readonly AnsweredBefore[] }>();
  useEffect(() => {
    let isWanted = true;
    // A question is answered without it just as well.
    request<AnsweredBeforeBody>('GET', at(`/notifications/${id}/answered-before`))
      .then(({ answeredBefore }) => isWanted && setResult({ id, before: answeredBefore }))
      .catch(() => {});
    return () => {
      isWanted = false;
    };
  }, [id]);
  return result?.id === id ? result.before : undefined;
}

/** One earlier answer, with its citation. */
export function Earlier({ one }: { readonly one: AnsweredBefore }) {
  const { source, observationId, issueNumber, question, answer, by, at: when } = one;
  return (
    <div class="earlier">
      <Text>{answer}</Text>
      <p class="quiet">
        <Line>{question}</Line> #{issueNumber}, {plainLine(by)}, <LocalTime at={when} />,{' '}
        <Link to={{ view: 'memory', id: observationId }}>{source}</Link>
      </p>
    </div>
  );
}
