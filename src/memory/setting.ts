import type { TranscriptMessage } from './transcript-message.js';
import { sharedWords, wordsIn } from './worth.js';

/*
 * What a message stands in: which problem it explains, which answer it repeats, and whether a later one takes it back.
 * The same words are a decision after an answer, an error after a failure, and nothing once a user said "not now". Pure.
 */

export interface Setting {
  /** The words of what the user settled last. */
  readonly settled: ReadonlySet<string>;
  /** Whether something fails, and no file was changed since. */
  readonly isTroubled: boolean;
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
  isTroubled: false,
  isAnswer: false,
  isOpening: false,
  isTakenBack: false,
  isRefused: false,
};

/** One for each message. */
export function settingsOf(messages: readonly TranscriptMessage[]): readonly Setting[] {
  const settings: Setting[] = [];
  let settled = NOTHING;
  let isTroubled = false;
  let user: number | undefined;
  let agent: number | undefined;
  const change = (place: number | undefined, changed: Partial<Setting>) => {
    const setting = place === undefined ? undefined : settings[place];
    if (place !== undefined && setting !== undefined) settings[place] = { ...setting, ...changed };
  };
  for (const [place, message] of messages.entries()) {
    settings.push({ ...NO_SETTING, settled, isTroubled });
    if (message.kind === 'call') isTroubled &&= message.paths.length === 0;
    else if (message.kind === 'result') isTroubled ||= message.hasFailed || FAILED.test(message.text.slice(0, 20_000));
    else if (message.by === 'user') {
      const offer = agent === undefined ? undefined : saidAt(messages, agent);
      const isAnswer = offer !== undefined && OFFERS.test(offer);
      settings[place] = { ...NO_SETTING, isAnswer, isOpening: user === undefined };
      if (REFUSES.test(message.text)) change(agent, { isRefused: true });
      if (agent !== undefined && isPutOff(message.text)) {
        change(agent, { isTakenBack: true });
        if (user !== undefined && saidAt(messages, user).includes('?')) change(user, { isTakenBack: true });
      }
      settled =
        isAnswer || (SETTLES.test(message.text) && !message.text.trim().endsWith('?'))
          ? new Set(contentWordsOf(message.text))
          : NOTHING;
      isTroubled = TROUBLE.test(message.text);
      [user, agent] = [place, undefined];
    } else {
      if (CORRECTS.test(message.text.slice(0, 200))) change(agent, { isTakenBack: true });
      agent = place;
    }
  }
  return settings;
}

function saidAt(messages: readonly TranscriptMessage[], place: number): string {
  const message = messages[place];
  return message?.kind === 'said' ? message.text : '';
}

const OFFERS =
  /\?|\b(?:options?|alternatives?|alternatively|either|i(?:'d| would)|we could|could|might|suggest|propos\w+|recommend\w*|prefer|m(?:\u00f6|oe)glich\w*|vorschlag\w*|k(?:\u00f6|oe)nnten?|sollen? (?:ich|wir))\b/i;
const SETTLES =
  /\b(?:must|never|always|only|don't|do not|use|keep|no|not|instead|decided|agreed|let's|want|should|make|set|max|limit|nur|nie|immer|kein\w*|bitte|muss|darf|bleibt)\b/i;
const TROUBLE =
  /\b(?:wrong|fail\w*|slow|broken?|breaks?|crash\w*|error|bug|lost|los(?:es?|ing)|lag\w*|stuck|missing|complain\w*|why|twice|duplicate\w*|dead|hang\w*|leak\w*|late|timeout|time[sd]? out|not? (?:work|join|start|load|open)\w*|does(?:n't| not)|can't|cannot|problem|issue|regress\w*|flak\w*|too (?:big|small|slow|high|low|many|long)|reason|cause|warum|falsch\w*|fehl\w*|langsam|kaputt|doppelt|verschwind\w*|ursache)\b/i;
const FAILED =
  /\b(?:FAIL(?:ED|URES?)?|Traceback|panicked|Segmentation fault|fatal)\b|\b[1-9]\d* (?:failed|failing|errors?)\b|^\s*(?:\w*Error|error(?:\[\w+\])?|ERROR):/m;
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
