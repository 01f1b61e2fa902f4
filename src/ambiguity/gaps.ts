import { type Ambiguity, finding } from './ambiguity.js';
import { anchorsIn } from './anchors.js';
import { isInvented } from './measures.js';
import type { Profile } from './profile.js';
import { isBareTopic, isOpenQuestion, isQuestion, isVagueReport } from './questions.js';
import { isOpenStory, wishOf } from './stories.js';

/* Tasks that name neither what exactly is wanted nor when it is done. Pure. */

const MAX_GAP_WORDS = 16;
/** An order. */
const ORDER =
  /^(?:(?:please|hey|hi|@?\w+:|@\w+|can|could|would|you|we|someone|let's)[ ,]+)*(?:add|allow|analy[sz]e|archive|arrange|book|build|buy|cache|calculate|call|change|check|clean|compare|configure|connect|convert|create|delete|deploy|design|develop|display|download|draw|enable|encrypt|export|extend|filter|find|fix|generate|get|give|handle|help|hide|implement|import|improve|install|integrate|introduce|let|limit|log|make|merge|migrate|monitor|move|notify|optimi[sz]e|order|organi[sz]e|parse|plan|plot|prepare|prevent|print|process|provide|reduce|refactor|remind|remove|rename|render|replace|restart|review|rewrite|run|schedule|search|send|set(?: up)?|show|sort|speed|split|start|stop|store|summari[sz]e|support|sync|test|track|translate|update|upgrade|upload|use|validate|verify|write)\b|\b(?:I|we) (?:need|want|would like|have to)\b/i;
/** What a thing is to do or to be, or what is wrong with it. */
const STATEMENT =
  /\b(?:should|shall|must|can|needs? to|is to|are able to)\b|\b(?:is|are|takes?|crash\w*|appears?|does not|do not|doesn't|don't|fails?|shows?) /i;
/** A statement that names an action and what it is done to is a rule, even without figures; these verbs name none. */
const NO_ACTION =
  /\b(?:should|shall|must|can|needs? to|(?:is|are) (?:to|able to))\b(?: (?:be|also|not|be able to))* (?!\w+ed by\b)(?:manag|handl|support|process|improv|optimi[sz]|integrat|deal|work|behave|look|feel|respond|scal|perform|secur|protect|control|organi[sz]|monitor|consider|address|facilitat|enhanc)\w*|\b(?:takes?|crash\w*|appears?|does not|do not|doesn't|don't|fails?|shows?) |^[^.]{0,40}\b(?:is|are) (?!\w+(?:ed|en|t|wn|ut)\b)/i;
/** What a program is to do is said by naming the program's one task. */
const NAMED_TASK = /\b(?:function|method|program|script|query|class|regex)\b(?: in \w+)? (?:to|that|which) \w+/i;
const NAMED_TASK_WORDS = 9;
/** A name inside a sentence. */
const NAME = /(?<=[a-z,] )[A-Z][a-z]+\b/;
const NAME_WORDS = 7;
const LOOSE_SHARE = 0.34;
/** What several sentences are about if they report or wish for something without details. */
const COMPLAINT =
  /\b(?:improv\w+|enhanc\w+|optimi[sz]\w+|handl\w+|support|fix|broken|wrong|errors?|crash\w*|problems?|issues?|bugs?|fail\w*|slow|nice|needs?|asked for|helpful|(?:does not|doesn't|cannot|can't|stopped) \w+)\b/i;

/** A task in a few sentences that hold on to next to nothing: no number, name, path, condition or example. */
export function gapIn({ prose, sentences, words, definite, hasCode, isRich }: Profile): readonly Ambiguity[] {
  const [first = ''] = sentences;
  // Whether a question about the world can be answered does not depend on numbers in it.
  if (sentences.length === 1 && (isQuestion(first) || isInvented(first) || wishOf(first) !== undefined)) return [];
  if (hasCode || isRich || !sentences.some((sentence) => ORDER.test(sentence) || STATEMENT.test(sentence))) return [];
  const isLoose = words < MAX_LOOSE_WORDS && definite < LOOSE_SHARE && !LITERAL.test(prose);
  if (sentences.length > 1) return finding('gap', first, isLoose && COMPLAINT.test(prose));
  if (!ORDER.test(first) && !NO_ACTION.test(first)) return [];
  const isNamed =
    (words >= NAMED_TASK_WORDS && NAMED_TASK.test(prose)) || (words >= NAME_WORDS && NAME.test(first.slice(1)));
  return finding('gap', first, words <= MAX_GAP_WORDS && anchorsIn(first) === 0 && !isNamed);
}

/** As it is typed or called. */
const LITERAL = /`[^`]+`|(?:^|\s)--\w|\b\w+\(\)/;

const MAX_LOOSE_WORDS = 60;
const MAX_REPORT_WORDS = 40;

export function openIn({ prose, sentences, words, hasCode, isFunction }: Profile): readonly Ambiguity[] {
  const [first = '', ...others] = sentences;
  if (hasCode || isFunction) return [];
  const isOpen = others.length === 0 && (isOpenQuestion(first) || isBareTopic(first));
  return [
    ...finding('gap', first, isOpen || isOpenStory(first, others)),
    ...finding('gap', prose, words <= MAX_REPORT_WORDS && isVagueReport(prose)),
  ];
}
