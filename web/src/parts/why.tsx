import type { ComponentChildren } from 'preact';
import { parseOrigin } from '../../../src/protocol/origin.js';
import type { Question } from '../../../src/protocol/question.js';
import type { ListedClarification } from '../../../src/protocol/rest.js';
import { plainLine } from '../../../src/render/plain-text.js';
import type { State } from '../state.js';
import { Earlier, useAnsweredBefore } from './answered-before.js';
import { fallbacksOf } from './fallback.js';
import { Link } from './link.js';
import { Line, Text } from './text.js';
import { Thread } from './thread.js';
import { Ago } from './time.js';

interface WhyProps {
  readonly question: Question;
  readonly state: State;
  readonly now: number;
}

const KINDS: Readonly<Record<Question['kind'], string>> = {
  open_question: 'The agent cannot decide this by itself.',
  pm_clarification: 'Planning needs a decision that nothing in the repository gives.',
  escalation: 'Two agents could not settle this between them.',
  approval: 'The agent proposes a change that your settings hold for approval.',
  agent_failed: 'An agent failed, and the run waits for what to do.',
  late_answer: 'A human contradicts what was assumed.',
};

/** Why this is asked, what depends on it, and what happens without an answer. */
export function Why({ question, state, now }: WhyProps) {
  const { kind, createdAt, askedBy, attached = [], proposal, rework, blocker_type, evidence } = question;
  const record = state.clarifications.find(({ id }) => id === question.sourceId);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll, which keys do only where the focus is
    <aside class="why" aria-label="Why this is asked" tabIndex={0}>
      <h2>Why this is asked</h2>
      <p>{KINDS[kind]}</p>
      <p class="quiet">
        Asked <Ago at={createdAt} now={now} /> by {[...askedBy.chain].reverse().join(', for ')}
        {attached.length === 0 ? '' : `; ${attached.map(({ agent }) => agent).join(', ')} asked the same`}.
      </p>
      <dl>
        {proposal === undefined ? null : (
          <Fact name={`Proposed: ${proposal.kind}`}>
            <Text>{proposal.summary}</Text>
          </Fact>
        )}
        <IfNobodyAnswers question={question} />
        <WhatWaits question={question} />
        {COULD_BE_ASKED_BEFORE.includes(kind) ? <Before question={question} isOnline={state.isOnline} /> : null}
        {rework?.assumptionId === undefined ? null : (
          <Fact name="What was assumed">
            <Link to={{ view: 'assumptions', id: rework.assumptionId }}>The assumption and its reasons</Link>
          </Fact>
        )}
        {rework === undefined ? null : <Depends rework={rework} />}
        {blocker_type === undefined || blocker_type === 'none' ? null : (
          <Fact name="Blocker">{blocker_type.replaceAll('_', ' ')}</Fact>
        )}
        {evidence === undefined
          ? null
          : Object.entries(evidence).map(([name, text]) => (
              <Fact key={name} name={`Looked at: ${name.replaceAll('_', ' ')}`}>
                <Text>{String(text)}</Text>
              </Fact>
            ))}
      </dl>
      {record === undefined ? null : <Record record={record} />}
    </aside>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function IfNobodyAnswers({ question }: { readonly question: Question }) {
  const { fallback, blocking, rework } = question;
  if (fallback === undefined) {
    if (rework !== undefined) return <Fact name="If nobody answers">What was built stays as it is.</Fact>;
    return (
      <Fact name="If nobody answers">
        {blocking ? 'Work on this stands still until you do.' : 'Work goes on meanwhile.'}
      </Fact>
    );
  }
  return (
    <Fact name="If nobody answers">
      {fallbacksOf(question).map(({ part, choice, risk, reasoning }) => (
        <div key={part} class="fallback">
          {part === undefined ? null : <span class="quiet">{part} </span>}
          <Line>{choice}</Line>
          {risk === undefined ? null : <span class="quiet">, risk {plainLine(risk)}</span>}
          {reasoning === undefined ? null : <Text>{reasoning}</Text>}
        </div>
      ))}
    </Fact>
  );
}

const COULD_BE_ASKED_BEFORE: readonly Question['kind'][] = ['open_question', 'pm_clarification', 'escalation'];

function Before({ question, isOnline }: { readonly question: Question; readonly isOnline: boolean }) {
  const before = useAnsweredBefore(question, isOnline);
  if (before === 'on its way') return <Fact name="Answered before">Asking the memory.</Fact>;
  if (before === 'unknown') return <Fact name="Answered before">The memory could not be asked.</Fact>;
  return (
    <Fact name="Answered before">
      {before.length === 0
        ? 'Not as far as the memory knows.'
        : before.map((one) => <Earlier key={`${one.questionId} ${one.source}`} one={one} />)}
    </Fact>
  );
}

/** The steps of runs that stand still until this is answered. */
function WhatWaits({ question: { blocking, origin, attached = [] } }: { readonly question: Question }) {
  const steps = [origin, ...attached.map((other) => other.origin)].flatMap((one) => {
    const cause = parseOrigin(one);
    if (!blocking || cause.by !== 'run' || cause.step === undefined) return [];
    return `step ${plainLine(cause.step)} of ${cause.runId}`;
  });
  if (steps.length === 0) return null;
  return <Fact name="What waits for it">{[...new Set(steps)].join(', ')}</Fact>;
}

function Depends({ rework: { artifacts, runs } }: { readonly rework: NonNullable<Question['rework']> }) {
  const steps = runs.flatMap(({ runId, steps }) => steps.map((step) => ({ step, runId })));
  if (artifacts.length + steps.length === 0) return <Fact name="Work that depends on it">None that is known.</Fact>;
  return (
    <Fact name="Work that depends on it">
      <ul class="plain">
        {steps.map(({ step, runId }) => (
          <li key={`${runId} ${step}`}>
            step {step} <span class="quiet">of {runId}</span>
          </li>
        ))}
        {artifacts.map((path) => (
          <li key={path}>
            <code>{plainLine(path)}</code>
          </li>
        ))}
      </ul>
    </Fact>
  );
}

function Record({ record }: { readonly record: ListedClarification }) {
  return (
    <>
      <h3>
        <Link to={{ view: 'asks', id: record.id }}>
          <Line>{record.topic}</Line>
        </Link>{' '}
        <span class="quiet">{record.id}</span>
      </h3>
      <Thread record={record} />
    </>
  );
}
