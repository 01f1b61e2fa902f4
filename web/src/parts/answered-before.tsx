import { useEffect, useState } from 'preact/hooks';
import type { AnsweredBefore } from '../../../src/protocol/answered-before.js';
import { issueLabel } from '../../../src/protocol/issue-label.js';
import type { Question } from '../../../src/protocol/question.js';
import type { AnsweredBeforeBody } from '../../../src/protocol/rest.js';
import { plainLine } from '../../../src/render/plain-text.js';
import { request } from '../api.js';
import { at } from '../state.js';
import { Link } from './link.js';
import { Line, Text } from './text.js';
import { LocalTime } from './time.js';

type Before = readonly AnsweredBefore[] | 'on its way' | 'unknown';

/** What was decided when the same was asked before. A question is answered without it just as well. */
export function useAnsweredBefore({ id }: Pick<Question, 'id'>, isOnline: boolean): Before {
  const [result, setResult] = useState<{ readonly id: string; readonly before: Before }>();
  useEffect(() => {
    let isWanted = true;
    const take = (before: Before) => isWanted && setResult({ id, before });
    request<AnsweredBeforeBody>('GET', at(`/notifications/${id}/answered-before`)).then(
      ({ answeredBefore }) => take(answeredBefore),
      () => take('unknown'),
    );
    return () => {
      isWanted = false;
    };
  }, [id, isOnline]);
  return result?.id === id ? result.before : 'on its way';
}

/** One earlier answer, with its citation. */
export function Earlier({ one }: { readonly one: AnsweredBefore }) {
  const { source, observationId, issueNumber, question, answer, by, at: answeredAt } = one;
  return (
    <div class="earlier">
      <Text>{answer}</Text>
      <p class="quiet">
        <Line>{question}</Line> {issueLabel(issueNumber)}, {plainLine(by)}, <LocalTime at={answeredAt} />,{' '}
        <Link to={{ view: 'memory', id: observationId }}>{source}</Link>
      </p>
    </div>
  );
}
