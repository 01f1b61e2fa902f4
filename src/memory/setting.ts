import { isChoice } from './choice.js';
import type { TranscriptMessage } from './transcript-message.js';
import { sharedWords, wordsIn } from './worth.js';

/*
 * What a message stands in: which problem it explains, which answer it repeats, and whether a later one takes it back.
 * The same words are a decision after an answer, an error after a failure, and nothing once a user said "not now". Pure.
 */

/** `failed` is what a program showed, `troubled` what a user told; `explained` is either after its explanation began;
 * `told` is after the speaker said what was changed. */
type Phase = 'troubled' | 'failed' | 'explained' | 'changed' | 'told' | 'other';

export interface Setting {
  /** The words of what the user settled last; for a user, of what the agent offered. */
  readonly settled: ReadonlySet<string>;
  /** What the session is at: something is wrong or has just failed, or files were changed since. */
  readonly phase: Phase;
  /** Whether it answers what an agent asked or offered. */
  readonly isAnswer: boolean;
  /** Whether it begins the session: what is to be done is told in it. */
  readonly isOpening: boolean;
  /** Whether what it proposes or supposes was put off or corrected right after it. */
  readonly isTakenBack: boolean;
  /** Whether the user said no to it. */
  readonly isRefused: boolean;
}

const NOTHING: ReadonlySet<string> = new Set();

export const NO_SETTING: Setting = {
  settled: NOTHING,
  phase: 'other',
  isAnswer: false,
  isOpening: false,
  isTakenBack: false,
  isRefused: false,
};

/** One for each message. */
export function settingsOf(messages: readonly TranscriptMessage[]): readonly Setting[] {
  const settings: Setting[] = [];
  let settled = NOTHING;
  let phase: Phase = 'other';
  /** What a file holds says nothing of what happened. */
  let isReading = false;
  let user: number | undefined;
  let agent: number | undefined;
  const change = (place: number | undefined, fields: Partial<Setting>) => {
    const setting = place === undefined ? undefined : settings[place];
    if (place !== undefined && setting !== undefined) settings[place] = { ...setting, ...fields };
  };
  for (const [place, message] of messages.entries()) {
    settings.push({ ...NO_SETTING, settled, phase });
    if (message.kind === 'call') {
      isReading = READS.test(message.command ?? message.tool);
      phase = isChange(message) ? 'changed' : phase;
    } else if (message.kind === 'result') phase = phaseAfter(message, phase, isReading);
    else if (message.kind === 'answered') settled = new Set(contentWordsOf(message.text));
    else if (message.by === 'user') {
      const offer = agent === undefined ? undefined : saidAt(messages, agent);
      const isAnswer = offer !== undefined && OFFERS.test(offer);
      const isChoosing = offer !== undefined && ASKS_FOR_CHOICE.test(offer);
      const offeredWords = isChoosing ? new Set(contentWordsOf(offer)) : NOTHING;
      settings[place] = { ...NO_SETTING, settled: offeredWords, isAnswer, isOpening: user === undefined };
      if (REFUSES.test(message.text)) change(agent, { isRefused: true });
      if (agent !== undefined && isPutOff(message.text)) {
        // After a report, only the question at its end is put off.
        const isReport = /\n\s*\n[^\n]*\?\s*$/.test(saidAt(messages, agent).slice(-LAST_QUESTION));
        change(agent, isReport ? { isRefused: true } : { isTakenBack: true });
        if (user !== undefined && saidAt(messages, user).includes('?')) change(user, { isTakenBack: true });
      }
      settled =
        isAnswer || ((SETTLES.test(message.text) || isChoice(message.text)) && !message.text.trim().endsWith('?'))
          ? new Set(contentWordsOf(message.text))
          : NOTHING;
      phase = phaseTold(message.text, phase, isChoosing ? undefined : offer);
      [user, agent] = [place, undefined];
    } else {
      if (CORRECTS.test(message.text.slice(0, 200))) change(agent, { isTakenBack: true });
      agent = place;
    }
  }
  return settings;
}

function isChange({ paths, command = '' }: Extract<TranscriptMessage, { kind: 'call' }>): boolean {
  return (
    paths.length > 0 ||
    /\bgit (?:rm|mv|apply|commit)\b|\b(?:sed -i|perl -pi|patch -p)|>\s*[\w./-]+\s*<<|<<\s*['"]?\w+['"]?\s*>/.test(
      command,
    )
  );
}

function phaseAfter(
  { text, hasFailed }: Extract<TranscriptMessage, { kind: 'result' }>,
  phase: Phase,
  isReading: boolean,
): Phase {
  const beginning = text.slice(0, 20_000);
  if (hasFailed || (!isReading && FAILED.test(beginning))) return 'failed';
  if (CHANGED.test(beginning)) return 'changed';
  return phase === 'failed' && PASSED.test(beginning) ? 'other' : phase;
}

/** A word of agreement, or an answer to what an agent asked, does not end a trouble. */
function phaseTold(text: string, phase: Phase, before: string | undefined): Phase {
  // What is asked about something that was mended reports nothing.
  if (
    phase !== 'troubled' &&
    phase !== 'failed' &&
    before !== undefined &&
    ASKS_WHETHER.test(text.slice(-LAST_QUESTION))
  )
    return 'other';
  if (TROUBLE.test(text)) return 'troubled';
  if (PLEASED.test(text) || before === undefined) return 'other';
  const isInTrouble = phase === 'troubled' || phase === 'failed';
  const goesOn = text.split(/\s+/, 6).length < 6 || before.trimEnd().endsWith('?') || REFUSES.test(text);
  if (isInTrouble && goesOn) return phase;
  // A message that neither asks nor orders reports how something behaves.
  const isReport = !goesOn && !ASKS_OR_ORDERS.test(text);
  return isReport ? 'troubled' : 'other';
}

function saidAt(messages: readonly TranscriptMessage[], place: number): string {
  const message = messages[place];
  return message?.kind === 'said' ? message.text : '';
}

const OFFERS =
  /\?|\b(?:options?|alternatives?|alternatively|either|i(?:'d| would)|we could|could|might|suggest|propos\w+|recommend\w*|prefer|m(?:\u00f6|oe)glich\w*|vorschlag\w*|k(?:\u00f6|oe)nnten?|sollen? (?:ich|wir))\b/i;
const ASKS_FOR_CHOICE =
  /\b(?:should|shall|want|prefer|in mind|which (?:one|option|of)|options?|alternatives?|either|would you|(?:i|we) (?:could|might)|i'd|suggest|propose|lieber|soll(?:en)? (?:ich|wir)|m(?:\u00f6|oe)glichkeiten)\b/i;
const SETTLES =
  /\b(?:must|never|always|only|don't|do not|use|keep|no|not|instead|decided|agreed|let's|want|should|make|set|max|limit|nur|nie|immer|kein\w*|bitte|muss|darf|bleibt)\b/i;
const TROUBLE =
  /\b(?:wrong|fail\w*|slow|broken?|breaks?|crash\w*|error|bug|lost|los(?:es?|ing)|lag\w*|stuck|missing|complain\w*|why|twice|duplicate\w*|dead|hang\w*|leak\w*|evict\w*|mismatch\w*|off by|late|timeout|time[sd]? out|not? (?:work|join|start|load|open)\w*|does(?:n't| not)|can't|cannot|problem|issue|regress\w*|flak\w*|too (?:big|small|slow|high|low|many|long)|reason|cause|gaps?|(?:0|zero|no) (?:rows|results|data|output|entries)|\d+ ?s(?:ec\w*)?|[45]\d\d|find out|stop(?:s|ped)|show(?:s|ing)? up as|warum|falsch\w*|fehl\w*|langsam|kaputt|doppelt\w*|verschwind\w*|ursache)\b/i;
const ASKS_OR_ORDERS =
  /\?\s*$|\b(?:must|should|use|keep|instead|decided|agreed|let's|want|need|make|set|add|write|don't|do not|please|bitte|soll(?:en|te)?|brauch\w*|muss)\b/i;
/** As much of a text as its last question takes. */
const LAST_QUESTION = 400;
const ASKS_WHETHER =
  /(?:^|[.!,] )(?:(?:and|so|what about [^?]{2,60},) )?(?:is|are|do|does|will|can|how (?:long|many|much|do|does)|which|what) (?!.*\b(?:fail|error|crash|wrong|broken?|why)\w*\b)[^?.!]{3,100}\?\s*$/i;
const PLEASED = /\b(?:thanks?|thx|works|perfect|great|nice|cool|awesome|merged|danke|super|prima)\b/i;
const READS = /^(?:read|view|open|grep|search|glob|list|find|ls|cat|rg|head|sed -n|git (?:show|diff|log|blame))/i;
export const FAILED =
  /\b(?:FAIL(?:ED|URES?)?|Traceback|panicked|Segmentation fault|fatal)\b|\b[1-9]\d* (?:failed|failing|errors?)\b|\bERROR:|\bexit(?:ed)?(?: with)?(?: code| status)? [1-9]|\b(?:Killed|timed out|command not found|no such file|connection refused|permission denied|aborted!)|^\s*(?:\w*Error|error(?:\[\w+\])?|ERROR):|^\s*Expected: .*\n\s*(?:Actual|Received): /m;
const PASSED = /^ok\b|\b(?:passed|0 fail\w*|successful)\b/im;
const CHANGED =
  /^\s*(?:modified|created|updated|deleted|renamed|wrote|applied edit to)[: ]+\S*[./]\S|\b(?:file|files) \S* ?(?:has|have) been (?:updated|created|modified|written)|^file (?:created|written|updated)|\b\d+ (?:files? changed|insertions?|replacements?|additions?)\b|\bsuccessfully (?:wrote|replaced|edited|created|updated|modified)\b|\bwrote \d+ lines/im;
const CORRECTS =
  /\b(?:i (?:have to|must|need to) correct|i was wrong|i stand corrected|correction:|that was wrong|my (?:earlier|first|previous|initial|last) (?:\w+ )?(?:guess|theory|diagnosis|assumption|hypothesis|claim|idea|conclusion|statement|reading)\b[^.]{0,60}\b(?:wrong|incorrect|false|off|not|n't)|(?:it|that|this)(?:'s| is| was) not (?:it|the (?:cause|reason|problem|culprit))|scratch that|red herring|dead end|wrong (?:track|lead|trail)|ich muss mich korrigieren|ich lag falsch)\b/i;

/** `Hmm okay, let me run it by legal first, so not now`: nothing is decided. */
export function isPutOff(text: string): boolean {
  if (!PUT_OFF.test(text)) return false;
  const [first = '', ...rest] = text.trim().split(/(?<=[.!?])\s+|\n+/);
  const words = first.split(/\s+/).length;
  return (words <= 12 && PUT_OFF.test(first)) || (words <= 3 && rest.length > 0 && PUT_OFF.test(rest[0] ?? ''));
}

const PUT_OFF =
  /\b(?:not (?:now|today|tonight|yet)|later\b(?! than)|some ?day|another (?:time|day)|(?:leave|forget|skip|ignore) (?:it|that|this|them|marketing)(?: (?:for now|be|as (?:it )?is|alone))?(?=[.,;!:]|$| :)|never ?mind|parking lot|park (?:it|that|this)|^parked|think about (?:it|that|later)|let me (?:ask|think|check with|run)|run (?:it|this|that) by|i'll (?:ask|raise|think)|for now nothing|nothing for now|(?:discuss|talk about|decide) (?:it|that|this) (?:after|later|next|another|when)|dunno|no idea|nah|nicht (?:jetzt|heute)|sp(?:\u00e4|ae)ter|lass (?:das|es|mal)|vergiss (?:es|das)|erst ?mal nicht|irgendwann)\b/i;

const REFUSES = /^(?:no|nope|nah|wrong|not (?:true|right|correct)|that's (?:wrong|not)|nein|falsch|stimmt nicht)\b/i;

/** The words that say what a text is about. */
function contentWordsOf(text: string): readonly string[] {
  return wordsIn(text).filter((word) => /\d/.test(word) || (word.length >= 4 && !COMMON.has(word)));
}

const COMMON: ReadonlySet<string> = new Set(
  'this that with from have when then they them there their will would should could only also make made just into than what which where were been does done here your ours more most some same very want need like each every after before still must never always over both please dann wenn aber auch noch eine einen wird sind nicht'.split(
    ' ',
  ),
);

/** Whether an agent repeats what the user settled. */
export function isEcho(text: string, { settled }: Setting): boolean {
  return settled.size > 0 && sharedWords(text, settled) >= 2;
}
