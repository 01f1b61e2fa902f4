import { GERMAN } from './classify-german.js';

/* Sentences that are worth nothing later: intentions, progress, courtesy, what a program shows on its own. Pure. */

const OPENERS =
  '(?:(?:ok(?:ay)?|alright|great|good|perfect|right|sure|now|next|first|then|so|and|but|also|finally|hmm+|actually|well|yes|no|done|interesting|excellent|wait)[,.!:;]?\\s+)*';
const LOOKING =
  'look|check|see|read|search|grep|run|open|inspect|explore|examine|verify|start|begin|continue|try|take|find|list|view|review|dig|investigate|analy[sz]e|trace|locate|confirm|create|add|update|write|fix|implement|make|do|get|work|proceed|move on|test|rerun|re-run|edit|apply|put|give|show|help|wait|understand|summari[sz]e|clean|commit|address|handle|double-check|go (?:ahead|through|back|over)|finish|set up|install|build|think|explain|reproduce|measure|patch|have a look|take a look';
const NOISE: readonly RegExp[] = [
  new RegExp(`^${OPENERS}(?:let me|let's (?:${LOOKING}|also|now|first)\\b)`, 'i'),
  new RegExp(
    `^${OPENERS}(?:i|we)(?:'ll| will|'m going to| am going to|'re going to| are going to| need to| want to| should| can| could| have to|'d like to| must| might)? (?:(?:now|first|also|then|just|quickly|next|probably|start by|begin by|need to|going to|will|still|really|have to) )*(?:${LOOKING})\\b(?!, but)`,
    'i',
  ),
  new RegExp(`^${OPENERS}(?:i'm|i am|we're|we are) (?:now |currently |still |just )?\\w+ing\\b`, 'i'),
  new RegExp(
    `^${OPENERS}(?:look|check|read|runn|search|explor|examin|inspect|updat|creat|add|writ|fix|start|investigat|analy[sz]|review|verify|test|try|wait|think|work|apply|edit|rerunn|re-runn|scann|fetch|install|build|compil|load|generat|digging|summari[sz]|clean|mov|open|sett|confirm)ing\\b`,
    'i',
  ),
  /^(?:all |the )?(?:\d+ |two |three |four |five |six )?(?:unit |integration |new |existing |other |remaining |e2e )*(?:tests?|checks?|specs?|suites?)(?: \w+){0,2} (?:pass|passed|passes|passing|green|succeed|are (?:now )?(?:green|passing)|is green|ok)\b/i,
  /^(?:done|finished|completed?|all (?:good|set|done|green|clean|clear|checks)|everything (?:works|passes|is|looks)|(?:the )?(?:build|lint\w*|type-?check\w*|ci|pipeline|suite|formatter) (?:passe[sd]|succeed\w*|is (?:green|clean)|works|are clean)|looks good|that(?:'s| is| was)? (?:it|all|done|works?|worked|fine|good|great)|it works|works now)\b/i,
  /^\W*\d+%? (?:tool (?:calls?|uses?)|files? (?:changed|read|modified)|passed|failed|tests?|tokens?|insertions?|messages?|turns?|steps?|lines?|matches|results|errors?|warnings?|more|items?)\b/i,
  // A run of tests without a failure.
  /^[^,.;]{0,30}\b\d+ pass(?:ed|ing)?,? (?:and |with )?(?:0|no|zero) fail\w*[^,;]{0,30}$/i,
  /^\W*(?:total (?:cost|tokens|duration|time)|tokens?(?: used)?:|cost:|duration|elapsed|time:|session(?: id)?:|session (?:started|ended|saved|resumed)|exit(?:ed)?(?: with)? code 0|no (?:errors|issues|changes|problems|output|matches)\b|nothing to|up to date|already up|ready (?:to|for)|in progress|press |esc |ctrl[+-]|type \/|tips?\b|usage:|welcome|model:|cwd:|context left|auto-?accept|read \d+|wrote \d+ lines|updated \S+ with \d+|listed \d+|found \d+ (?:files?|matches|results|lines)|searched|ran \d+|applied edit to|added \S+ to the chat|add .+ to the chat|commit [0-9a-f]{7}\b.*\bchat|repo-map|main model|weak model|git repo|aider v|codex v|gemini cli|claude code v|context:|workdir|sandbox|approval|reasoning|provider|thinking|\? for shortcuts|shift\+tab|bypass|allow|yes,|no,? and|do you want)/i,
  /^(?:thanks|thank you|please (?:let|reach|feel|note that i)|let us know|feel free|(?:i )?hope|happy to|glad|if you(?:'d| would| have| want| need| like| prefer)|looking forward|sounds? (?:good|great)|makes sense|good (?:question|point|catch|idea|call|morning)|great|nice|cool|awesome|you(?:'re| are) (?:right|welcome|absolutely)|sorry|apologies|my (?:bad|mistake|apologies)|absolutely|of course|certainly|understood|got it|hi\b|hello|hey|cheers|want me to|would you|should i|shall i|do you|can you|could you|what|which|why|how|is (?:it|this|that|there)|are there|does|did|ok\b|okay\b|yes\b|yep|no worries|go ahead|sure)\b[^:]*$/i,
  /^(?:here(?:'s| is| are)|below|this is (?:the|a) (?:summary|list|plan|overview|diff)|the following|as follows|see (?:below|above)|in summary|to summari[sz]e|summary of|overview|i(?:'ve| have) (?:read|looked|reviewed|checked|gone|finished|completed|now|got|a (?:good|clear))|now (?:that|i|we|the))\b/i,
  /^(?:there (?:are|is)|we have|you have|i see) (?:\w+ ){0,3}(?:options|choices|ways|approaches|possibilities|alternatives)\b/i,
  /^(?:then |so |personally,? )?i(?:'d| would) (?:also |then |probably )?(?:suggest|recommend|propose|put|add|use|go|start|do|make|keep|store)\b/i,
  /^(?:then |so |personally,? )?(?:i|we) (?:suggest|recommend|propose|suspect|guess|suppose|could|might)\b/i,
  /^(?:(?:perhaps|maybe|probably|possibly|my (?:first |best |next )?guess|might be|could be|one option|another option|alternatively|one could)\b|(?:(?:a few|some|two|three|the|possible|our) )?(?:options|ideas|alternatives|possibilities|choices)(?: are)?:|(?:an?|the|another) (?:other )?alternative (?:is|would|could|might)\b)/i,
  // What others wrote: a sentence that is quoted as a whole.
  /^(?:from [^:]{3,80}: )?["\u201c][^"\u201d]{40,}[.!?\u2026]?["\u201d]?[.]?$/i,
  /^script (?:started|done) on\b|^\/[a-z]+ /i,
  // The rest of a text that others wrote, or its beginning.
  /^[^"\u201c\u201d]{20,}[.!?\u2026]["\u201d]$|^["\u201c][^"\u201d]{20,}$/,
  /^token usage\b|\b\d+ tool (?:calls?|uses?)\b/i,
  // What a program shows of itself when a session begins or ends.
  /^[\W_]*(?:(?:tool calls?|success rate|(?:wall|api|tool|active) time|agent active|interaction summary|model|session id|user agreement|total cost|usage)\s*:)/i,
  // The answer to "leave it": it says what was said.
  /^(?:[^,.]{1,20}[,.]? )?i(?:'ll| will) (?:leave|keep|do|make|take|skip|drop) (?:it|that|this|them)\b[^,;:]{0,25}$/i,
  /^(?:i|we) can either\b/i,
  /^(?:deploy|run|try|restart|merge|ship|push|test|watch|rerun) (?:it|this|that|them)\b/i,
  // What stands somewhere, word for word; what it means is said next.
  /^`[^`]+` (?:says|reads|has|contains) ["\u201c][^"\u201d]*["\u201d]\W*$/i,
  // How much was done to how many.
  /^(?:i|we)(?:'ve| have)? (?:\w+ed|went through) (?:all )?\d+ (?:of )?(?:\w+ )?(?:comments?|files?|lines?|warnings?|todos?|matches)\b(?!.*[`/])/i,
  /^\W*[A-Z_]{3,}=\[redacted\]|\brotate (?:it|them|the (?:key|token|password|secret)s?)\b/i,
  // How many complained is no fact of the work.
  /\b(?:ha(?:s|ve)|got|gets?) (?:about |around |over )?\d+ (?:\w+ )?(?:tickets|complaints|mails|calls)\b/i,
  /^(?:and |or )?(?:it|this|that) (?:could|might|may) (?:also |well |still )?be\b/i,
  /^(?:possible|potential|likely) (?:explanations?|causes?|reasons?|culprits?|remedies|fixes)\b/i,
  // Common knowledge: `Redis is a store that keeps its data in memory`.
  /^(?:(?:yes|no|well|ja|also)[,:]? )?[\w.-]+(?: [\w.-]+)?,?(?: by the way,?)? (?:is|are|ist|sind) (?:an?|\S+'s|eine?) (?:[\w-]+ ){0,3}(?:[\w-]+,? (?:that|which|based on|die|der|das|for|used)|\w+ layer)\b(?!.*[`/])/i,
  // It takes itself back, or only says again what was said.
  /\b(?:no, wait|wait, no|scratch that|forget that|nein, moment|das ist unsinn)\b|^(?:\w+, )?(?:so )?(?:to (?:recap|repeat|say it (?:again|once more))|zur wiederholung)\b/i,
  GERMAN.noise,
  /\?["')]*$/,
  // It gives a secret, and that is all.
  /\b(?:password|passwort|token|secret|key|credentials?)\b[^.!?]{0,60}(?:\bis\b|\bist\b|[:=])[^.!?]{0,40}\[redacted\]/i,
  /^(?:i|we)(?:'ll| will) (?:keep (?:that|it|this) in mind|remember (?:that|it|this))\b/i,
  /\b(?:tell me|let me know|say so) if you(?:'d| would)? (?:want|like|prefer)\b/i,
  /^(?:https?:\/\/\S+|[\w./-]+)$/,
  /^\W*(?:[\u2800-\u28ff|/\\-]\s)?(?:[\w-]+ing)\b.{0,30}(?:\.{3}|\u2026)\W*$/i,
];

/** `Looking at a.ts, the entry is there twice`: what was seen follows. */
const SEEN =
  /^(?:looking (?:at|into|through)|checking|reading|comparing|testing|running) [^,:]{3,80}[,:] (?:an?|the|it|there|this|that|both|each|every|all|we|i see|`)/i;

/** `Let's wait for tonight's feed, no replay`: what is not done is decided. `I'll file it as SHOP-12`: where to look later. */
const SETTLES =
  /^(?:so |ok(?:ay)?,? |then )?let's [^?]{5,80}(?:, (?:no|not|without|instead)\b|\binstead of\b|\bnot delete\b)|\b(?:ticket|issue|filed|follow-?up)\b[^?]{0,30}\b[A-Z]{2,10}-\d{1,6}\b|^[A-Z]{2,10}-\d{1,6}\b, i'll/i;

export function isNoise(text: string): boolean {
  const words = text.split(/\s+/).length;
  if ((words < 3 && !/ it is\b/.test(text)) || words > 90 || !/\p{L}{3}/u.test(text)) return true;
  return !SEEN.test(text) && !SETTLES.test(text) && NOISE.some((pattern) => pattern.test(text));
}
