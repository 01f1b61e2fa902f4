import type { Question, QuestionOption } from '../../../src/protocol/question.js';
import { letterOf, toggled } from '../keyboard.js';
import type { PartDraft } from '../state.js';
import type { answersTo } from './answerers.js';
import { directionOf, Line, Text } from './text.js';

const MAX_CHARACTERS = 2_000;
const NEARLY_FULL = 1_800;

interface QuestionPartProps {
  readonly question: Question;
  readonly index: number;
  /** Earlier answers to this part, with their answerers. */
  readonly said: ReturnType<typeof answersTo>;
  readonly isDisabled: boolean;
  readonly draft: PartDraft;
  readonly onEdit: (draft: PartDraft) => void;
}

/** One part: its text, its options as large targets, and always a field for free text. */
export function QuestionPartFields({ question, index, said, isDisabled, draft, onEdit }: QuestionPartProps) {
  const part = question.questions[index];
  if (part === undefined) return null;
  const { id, text, header, options = [], multiSelect = false, allowText = true } = part;
  return (
    <fieldset disabled={isDisabled}>
      <Asked question={question} text={text} header={header} />
      {multiSelect ? <p class="quiet">Choose any number.</p> : null}
      {options.map((option, optionIndex) => (
        <Option
          key={option.id}
          option={option}
          letter={letterOf(question, index, optionIndex)}
          name={`part-${id}`}
          isMultiple={multiSelect}
          isChosen={draft.optionIds.includes(option.id)}
          onChoose={() => onEdit(toggled(draft, option.id, multiSelect))}
        />
      ))}
      {allowText ? (
        <FreeText hasOptions={options.length > 0} text={draft.text} onText={(text) => onEdit({ ...draft, text })} />
      ) : null}
      {said.map(({ how, answer }) => (
        <p class="quiet said" key={how}>
          {how}: <Line>{answer}</Line>
        </p>
      ))}
    </fieldset>
  );
}

interface AskedProps {
  readonly question: Question;
  readonly text: string;
  readonly header: string | undefined;
}

/** For an escalation the subject is the question; the dispute stands below it. */
function Asked({ question: { kind, questions }, text, header }: AskedProps) {
  if (kind === 'escalation' && header !== undefined) {
    return (
      <legend>
        <Line>{header}</Line>
        <div class="dispute">
          <Text>{text.replace(/^Topic: .*\n/, '')}</Text>
        </div>
      </legend>
    );
  }
  return (
    <legend class={isLong(text) ? 'long' : undefined}>
      {header === undefined || questions.length < 2 ? null : <Line class="header">{header}</Line>}
      <Text>{text}</Text>
    </legend>
  );
}

/** Whether it takes more than a few lines. */
function isLong(text: string): boolean {
  return text.length > 240 || text.split('\n').length > 3;
}

interface OptionProps {
  readonly option: QuestionOption;
  readonly letter: string | undefined;
  readonly name: string;
  readonly isMultiple: boolean;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Option({ option, letter, name, isMultiple, isChosen, onChoose }: OptionProps) {
  return (
    <label class="option">
      <input type={isMultiple ? 'checkbox' : 'radio'} name={name} checked={isChosen} onChange={onChoose} />
      {letter === undefined ? null : <kbd>{letter}</kbd>}
      <span class="option-text">
        <span>
          <Line>{option.label}</Line> {option.recommended ? <em class="recommended">recommended</em> : null}
        </span>
        {option.description === undefined ? null : <Line class="quiet">{option.description}</Line>}
        <Sides option={option} />
      </span>
    </label>
  );
}

/** Pros and cons, if the asker gave them. */
function Sides({ option: { pros = [], cons = [] } }: { readonly option: QuestionOption }) {
  if (pros.length + cons.length === 0) return null;
  return (
    <span class="sides">
      {pros.map((line) => (
        <span key={line} class="pro">
          <span class="sign">for</span> <Line>{line}</Line>
        </span>
      ))}
      {cons.map((line) => (
        <span key={line} class="con">
          <span class="sign">against</span> <Line>{line}</Line>
        </span>
      ))}
    </span>
  );
}

interface FreeTextProps {
  readonly hasOptions: boolean;
  readonly text: string;
  readonly onText: (text: string) => void;
}

function FreeText({ hasOptions, text, onText }: FreeTextProps) {
  const count = [...text].length;
  return (
    <label class="free">
      <span class="quiet">
        {hasOptions ? 'Something else, or more to say' : 'Your answer'} <kbd>t</kbd>
        {count > NEARLY_FULL ? (
          <span class={count > MAX_CHARACTERS ? 'too-long' : ''}>
            {' '}
            {count} of {MAX_CHARACTERS} characters
          </span>
        ) : null}
      </span>
      <textarea
        rows={hasOptions ? 2 : 5}
        value={text}
        spellcheck
        dir={directionOf(text)}
        onInput={(event) => onText(event.currentTarget.value)}
      />
    </label>
  );
}
