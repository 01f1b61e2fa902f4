/*
 * What whoever plans the work decides by itself, whatever label it puts on the question (002): whether to go on, test
 * frameworks and tools, parallelism, how to fix a bug, how code is organised. Judged by the words of the question alone, and
 * narrowly: a question about keys, data, law or what is wanted is nobody's routine.
 */

const TOOL = '(?:frameworks?|librar(?:y|ies)|runners?|tools?)';

const ROUTINE: readonly (readonly [string, RegExp])[] = [
  [
    'whether to go on',
    /\b(?:do you want|would you like|want|should|shall|may|can|must) (?:me|us|i|we)?\s*(?:to |now |also |just |really )*(?:continue|proceed|keep (?:going|on)|go (?:on|ahead)|carry on|start|finish|fix(?:ing)? (?:it|them|the (?:failing |broken )?tests?|the bugs?)|retry|try again)\b/i,
  ],
  [
    'a technical detail',
    new RegExp(
      `\\b(?:test(?:ing)?|mock(?:ing)?|assertion|logging|ui|css|web|frontend|component|state[- ]management)[- ]${TOOL}\\b|` +
        String.raw`\b(?:linter|formatter|bundler|build (?:tool|system)|package manager|code ?style|indentation|tabs or spaces|design pattern|test coverage|unit tests?)\b|` +
        String.raw`\b(?:which|what) (?:frameworks?|librar(?:y|ies))\b`,
      'i',
    ),
  ],
  [
    'parallelism',
    /\b(?:in parallel|parallel(?:i[sz]\w*|ism)|concurrently|sequentially|one after the other|how many (?:developers|agents|workers|coders|engineers))\b/i,
  ],
  [
    'how to fix a bug',
    /\b(?:how|which way) (?:should|shall|do|can|would) (?:i|we|you)\b.{0,40}\bfix\b|\bwhich (?:bug|test|failure)s?\b.{0,40}\bfirst\b/i,
  ],
  [
    'the organisation of code',
    /\b(?:(?:folder|directory|file|project|module|code) (?:structure|layout|organi[sz]ation|names?)|naming (?:convention|scheme)|(?:variable|function|class|method|branch) names?|name (?:of )?the (?:variable|function|class|method|file|module)|which (?:file|folder|directory|module|class) (?:should|shall|do)|where (?:should|shall|do) (?:i|we) (?:put|place|add)|refactor\w*)\b/i,
  ],
];

/** What of 002's "decide it yourself" a question is about; nothing where it may be a real blocker. */
export function routineIn(question: string): string | undefined {
  return ROUTINE.find(([, pattern]) => pattern.test(question))?.[0];
}

/** What hangs another question on to one. */
const ANOTHER =
  /(?:\band\b|\balso\b|\bplus\b|;)\s+(?:also\s+|then\s+)?(?:which|what|who|whose|when|where|why|how|should|shall|do|does|did|is|are|was|can|could|may|must|will|would)\b/gi;

/** How many questions a text asks; two in one are two. */
export function questionsIn(text: string): number {
  const sentences = text.split(/(?<=\?["')\]]*)\s+/).map((sentence) => sentence.trim());
  const asked = sentences.filter((sentence) => sentence.includes('?'));
  const questions = asked.length > 0 ? asked : sentences.filter((sentence) => sentence !== '').slice(0, 1);
  const hungOn = questions.flatMap((question) => [...question.matchAll(ANOTHER)].filter(({ index }) => index > 0));
  return questions.length + hungOn.length;
}
