/*
 * What the planning agent decides by itself, whatever label it puts on the question (002). This covers whether to go
 * on, test frameworks and tools, parallelism, how to fix a bug, and how code is organised. Judged by the words of the
 * question alone, and narrowly: a question about keys, data, law or what is wanted is never routine.
 */

const TOOL = '(?:frameworks?|librar(?:y|ies)|runners?|tools?)';
const MAKER = '(?:developers?|agents?|workers?|coders?|engineers?)';
const GOING_ON =
  '(?:continu(?:e|ing)|proceed(?:ing)?|keep (?:going|on|fixing|working)|go(?:ing)? (?:on|ahead)|carry(?:ing)? on|mov(?:e|ing) on|start(?:ing)?|begin(?:ning)?|finish(?:ing)?|retry(?:ing)?|try(?:ing)? again|fix(?:ing)? (?:it|them|the (?:failing |broken )?tests?|the bugs?))';
const TOGETHER =
  '(?:in parallel(?! [a-z]*(?:base|store|region|environment))|concurrently|sequentially|simultaneously|at the same time|one by one|side by side|one after (?:the other|another))';
const PLAN = '(?:plan|approach|breakdown)';
const ASKING = '(?:do you want|would you like|want|should|shall|may|can|could|must)';

const GO_ON = [
  String.raw`\b(?<!who )${ASKING} (?:me|us|i|we)?\s*(?:to |now |also |just |really )*${GOING_ON}\b`,
  String.raw`\b(?:is it|are you|would it be) (?:ok|okay|fine|all right|alright|happy)\b.{0,20}\b${GOING_ON}\b`,
  String.raw`^(?:so,? |and |ok(?:ay)? to |ready (?:for me )?to )?${GOING_ON}\b`,
  String.raw`\b(?:should|shall|may|can) the (?:\w+ )?(?:work|tests?|bugs?|implementation|development)\b.{0,20}\b(?:go on|continue|proceed|start|begin|be (?:fixed|continued|started))\b`,
  String.raw`\b(?:approve|permission|go-ahead)\b.{0,30}\b${GOING_ON}\b`,
  String.raw`\b(?:approve|agree (?:with|to)|accept|happy with|okay? with|objections? to)\b.{0,10}\b(?:the|this|my|our) (?:\w+ )?${PLAN}\b`,
  String.raw`\b(?:want|like) me to (?:analy[sz]e|investigate|look into|check|debug|summari[sz]e)\b`,
  String.raw`\b(?:this|my) (?:\w+ )?${PLAN} (?:look|ok|okay|fine|good|acceptable|correct|right)`,
];

const ROUTINE: readonly (readonly [string, RegExp])[] = [
  ['whether to go on', new RegExp(GO_ON.join('|'), 'i')],
  [
    'a technical detail',
    new RegExp(
      `\\b(?:test(?:ing)?|mock(?:ing)?|assertion|logging|ui|css|web|frontend|component|state[- ]management)[- ]${TOOL}\\b|` +
        String.raw`\b(?:linter|formatter|bundler|build (?:tool|system)|package manager|code ?style|indentation|tabs or spaces|design pattern|test coverage|coverage (?:target|goal|threshold)|unit tests?|technical (?:detail|implementation|approach))\b|` +
        String.raw`\b(?:which|what) (?:of (?:the|these|those) )?(?:frameworks?|librar(?:y|ies))\b(?! (?:[a-z]+s|agreement|contract)\b)|` +
        String.raw`\b(?:which|what) (?:\w+[- ]){0,2}(?:librar(?:y|ies)|orm|npm package|http client|database driver)\b(?! [a-z]+s\b)|` +
        String.raw`\b(?:jest|vitest|mocha|jasmine|pytest|unittest|junit|testng|rspec|cypress|playwright|eslint|prettier|webpack|vite|rollup|yarn|pnpm|ruff|flake8)\b|` +
        String.raw`\b(?:write|add|include|skip|want)\b (?:\w+ ){0,2}(?:tests|comments|docstrings|documentation)\b|` +
        String.raw`\b(?:create|use|open|make) (?:a |an )?(?:\w+ )?(?:branch|pull request|pr(?! [a-z]))\b|\bcommit (?:the|my|these) changes\b|` +
        String.raw`\bshould (?:i|we) (?:commit|push)(?: now| first| it)?\s*\?|\bmock(?:s|ed|ing)?\b.{0,40}\btests?\b|` +
        String.raw`\b(?:use|choose|prefer)\b.{0,20}\b(?:typescript|javascript|async/await|promises|callbacks|class(?:es)? or|functions? or)\b`,
      'i',
    ),
  ],
  [
    'parallelism',
    new RegExp(
      String.raw`\b(?:i|we|tests?|tasks?|groups?|steps?|work|${MAKER})\b.{0,40}\b${TOGETHER}\b|` +
        String.raw`\b(?:parallel(?:i[sz]\w*|ism)|parallel mode|simple (?:mode )?or parallel|(?:parallel|sequential)(?:ly)? or (?:in )?(?:parallel|sequential))|` +
        String.raw`\b${MAKER}\b.{0,30}\bat once\b|\b(?:which|what) order\b.{0,40}\b(?:tasks?|groups?|tests?|bugs?)\b|` +
        String.raw`\bhow many ${MAKER}\b(?! (?:may|can) (?:an?|the|each|one)\b)|\b(?:assign|split|divide)\w*\b.{0,30}\b${MAKER}\b|\b${MAKER} (?:start|begin|work)\b.{0,30}\bfirst\b`,
      'i',
    ),
  ],
  [
    'how to fix a bug',
    /\b(?:how|which way) (?:should|shall|do|can|would) (?:i|we|you)\b.{0,40}\bfix\b.{0,30}\b(?:bugs?|tests?|failures?|errors?|crash|issue|it|this|them)\b|\bhow\b.{0,30}\b(?:bugs?|failures?|errors?|crash)\b.{0,15}\bfixed\b|\bwhich (?:of the )?(?:\w+ )?(?:bug|test|failure|task|group)s?\b.{0,40}\bfirst\b|\b(?:approach|way|strategy)\b.{0,40}\b(?:bug ?)?fix(?:es|ing)?\b/i,
  ],
  [
    'the organisation of code',
    /\b(?:(?:folder|directory|file|project|module|code) (?:structure|layout|organi[sz]ation)|(?:which|what) (?:file|folder|module) names?|naming (?:convention|scheme)|(?:variable|function|class|method) names?|name (?:of )?the (?:variable|function|class|method|file|module)|which (?:files?|folders?|director(?:y|ies)|modules?|class(?:es)?) (?:should|shall|do)|where (?:should|shall|do) (?:i|we) (?:put|place|add)|where (?:should|shall) (?:the|a) (?:new )?(?:class|function|helper|module|file|code)|(?:code|modules?|files?) (?:to )?(?:be )?(?:organi[sz]ed|structured|split|laid out)|(?:file|class|function|method|module|variable|branch) be (?:called|named)|refactor\w*|split\b.{0,30}\binto\b.{0,20}\b(?:files|modules|classes|functions|commits))\b/i,
  ],
];

/** What a human decides even if it is asked as permission to go on: keys, money, law, entrusted data. */
export const GRAVE =
  /\b(?:pii|gdpr|ccpa|hipaa|personal data|(?:user|customer|health) data|card numbers?|(?:api )?keys?|credentials?|secrets?|passwords?|production|live mode|payments?|charg\w+|licen[cs]\w+|legal\w*|complian\w+|consent|retention|encrypt\w*|unencrypted)\b/i;
const WORK =
  /\b(?:tests|(?:failing|broken|unit) test|bugs?|fix\w*|implement\w*|coding|development|planning|refactor\w*|tasks?)\b/i;

/** Which item of 002's "decide it yourself" a question is about; undefined if it may be a real blocker. */
export function routineIn(question: string): string | undefined {
  const text = question.trim();
  const [what] = ROUTINE.find(([, pattern]) => pattern.test(text)) ?? [];
  return what === 'whether to go on' && GRAVE.test(text) && !WORK.test(text) ? undefined : what;
}

const WORD = '(?:which|what|who|whose|when|where|why|how)';
/** `in which currency`. */
const AFTER_PREPOSITION = '(?:in|on|at|to|for|from|by|with|under) (?:which|what|whose|whom|how)';
const VERB = '(?:should|shall|do|does|did|is|are|was|can|could|may|must|will|would)';

/** Words that attach another question to one. */
const ANOTHER = new RegExp(
  String.raw`(?:\b(?:and|also|plus|as well as)\b|;|&)\s+(?:also\s+|then\s+|,?\s*if [^,?]{1,40},\s*)?(?:${WORD}|${AFTER_PREPOSITION}|${VERB})\b|` +
    String.raw`(?:\band,?\s+if [^,?]{1,40},|[,/])\s*${WORD}\b(?!\s+(?:is|are|was|were|has|have|had|can|could|would|will|should|may|must|do|does|all|both)\b)`,
  'gi',
);
const QUOTED = /"[^"]*"|\u201c[^\u201d]*\u201d|`[^`]*`/g;
const REQUEST =
  /^(?:and |also |then )*(?:please |also )*(?:tell|give|provide|send|say|specify|choose|confirm|decide|name|let me know)\b/i;

/** `Or GraphQL?`, `Test or production?`: the alternatives of the question before, if that names none. */
const ALTERNATIVE = /^(?:or|e\.?g\.?)\b/i;
const ALTERNATIVES = new RegExp(String.raw`^(?!(?:${WORD}|${VERB})\b)(?:\S+ ){1,2}or (?!not\b)(?:\S+ ?){1,2}$`, 'i');
/** `When an order is paid, which mail is sent?`: not a question, but the case that it is about. */
const CASE = new RegExp(
  String.raw`^(?:and )?(?:if|once|after|before|while|for|in|on|with|given|when(?! ${VERB}\b))\b[^,]*$`,
  'i',
);

/** How many questions a text asks; two in one are two. */
export function questionsIn(text: string): number {
  const sentences = text
    .replace(QUOTED, 'it')
    .split(/(?<=[?!.]["')\]]*)\s+|(?<=\?["')\]]*)(?=[\p{L}(])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
  const askingSentences = sentences
    .filter((sentence) => sentence.includes('?') || REQUEST.test(sentence))
    .filter((sentence, index, all) => {
      const before = all[index - 1];
      if (before === undefined || REQUEST.test(sentence)) return true;
      return !ALTERNATIVE.test(sentence) && (!ALTERNATIVES.test(sentence) || / or /i.test(before));
    });
  const questions = askingSentences.length > 0 ? askingSentences : sentences.slice(0, 1);
  const hungOn = questions.flatMap((question) =>
    [...question.matchAll(ANOTHER)].filter(({ index }) => index > 0 && !CASE.test(question.slice(0, index))),
  );
  return questions.length + hungOn.length;
}
