import type { Question } from '../../../src/protocol/question.js';
import { plainLine } from '../../../src/render/plain-text.js';
import { EMPTY, type OtherDraft } from '../draft-versions.js';
import { addOther, discardOther, othersOf } from '../drafts.js';
import type { State } from '../state.js';
import { Text } from './text.js';

interface OtherDraftsProps {
  readonly question: Question;
  readonly state: State;
  readonly isDisabled: boolean;
}

/** What the same person wrote to this question in another tab, browser or visit, and the text here does not contain. */
export function OtherDrafts({ question, state, isDisabled }: OtherDraftsProps) {
  return (
    <>
      {othersOf(state, question.id).map((other) => (
        <section key={other.version} class="other-draft" aria-label="Also written elsewhere">
          <p class="quiet">You also wrote this in another tab or visit:</p>
          <Text>{textOf(question, other)}</Text>
          <p class="buttons">
            <button type="button" disabled={isDisabled} onClick={() => addOther(question.id, other)}>
              Add to what stands here
            </button>
            <button type="button" disabled={isDisabled} onClick={() => void discardOther(question.id, other)}>
              Discard it
            </button>
          </p>
        </section>
      ))}
    </>
  );
}

function textOf({ questions }: Question, { draft }: OtherDraft): string {
  return questions
    .flatMap(({ id, text, options = [] }) => {
      const { text: draftText, optionIds } = draft[id] ?? EMPTY;
      const labels = options.filter((option) => optionIds.includes(option.id)).map(({ label }) => plainLine(label));
      const answerText = [...labels, draftText.trim()].filter((line) => line !== '').join('\n');
      return answerText === '' ? [] : [questions.length > 1 ? `${plainLine(text)}\n${answerText}` : answerText];
    })
    .join('\n\n');
}
