/*
 * Agent programs have a tool with which they ask their user. What the user answers stands in its result: as a sentence
 * with `"question"="answer"` in it, or as JSON that names the questions of the call. Pure.
 */

type Fields = Readonly<Record<string, unknown>>;

/** The tools of agent programs that ask their user. Another tool, such as one of a server, answers questions by itself. */
const ASKS_USER = /^(?!mcp_)(?:.*[^a-z])?(?:ask|question$|request_?user)/i;

/** The questions in the arguments of a call, by id, by place and by their own words. None in those of other tools. */
export function questionsAsked(tool: string, { questions }: Fields): ReadonlyMap<string, string> {
  const byName = new Map<string, string>();
  if (!ASKS_USER.test(tool) || !Array.isArray(questions)) return byName;
  for (const [place, entry] of questions.entries()) {
    const { id, question }: Fields = typeof entry === 'object' && entry !== null ? { ...entry } : {};
    if (typeof question !== 'string') continue;
    for (const name of [String(place), question, id]) if (typeof name === 'string') byName.set(name, question);
  }
  return byName;
}

/** What was answered, one text for each question; undefined if the result of a tool is no answer of a user. */
export function answersIn(
  result: string,
  questions: ReadonlyMap<string, string> | undefined,
): readonly string[] | undefined {
  const beginning = result.trimStart().slice(0, LONGEST_RESULT);
  if (questions === undefined) return undefined;
  return TOLD.test(beginning) ? toldAnswers(beginning) : listedAnswers(beginning, questions);
}

const LONGEST_RESULT = 20_000;
const TOLD = /^User has answered your questions?:/;

/** `User has answered your questions: "Which region?"="eu-west-1". You can now continue ...` */
function toldAnswers(text: string): readonly string[] {
  const list = text.slice(text.indexOf('"') + 1);
  const end = list.lastIndexOf('"');
  return list
    .slice(0, Math.max(0, end))
    .split('", "')
    .flatMap((pair) => {
      const [question = '', ...answer] = pair.split('"="');
      return answered(question, answer.join('"="'));
    });
}

/** `{"answers": {"region": {"answers": ["eu-west-1"]}}}`, by the names of the questions. */
function listedAnswers(text: string, questions: ReadonlyMap<string, string>): readonly string[] | undefined {
  const { answers } = objectIn(text);
  if (typeof answers !== 'object' || answers === null) return undefined;
  return Object.entries(answers).flatMap(([name, given]) => answered(questions.get(name) ?? '', wordsOf(given)));
}

function objectIn(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function wordsOf(given: unknown): string {
  if (typeof given === 'string') return given;
  if (Array.isArray(given)) return given.filter((one) => typeof one === 'string').join(', ');
  const isWrapped = typeof given === 'object' && given !== null && 'answers' in given && Array.isArray(given.answers);
  return isWrapped ? wordsOf(given.answers) : '';
}

/** A yes or no to what the agent is about to do is over when it is done. */
function answered(question: string, answer: string): readonly string[] {
  const [asked, words] = [question.trim(), answer.trim()];
  if (ASKS_FOR_SECRET.test(asked)) return [];
  if (asked === '' || words === '' || (ABOUT_NEXT_STEP.test(asked) && SHORT_WORD.test(words))) return [];
  return [`${asked} ${words}${/[.!?]$/.test(words) ? '' : '.'}`];
}

const ABOUT_NEXT_STEP =
  /^(?:(?:shall|should|may|can|could) i|do you want me to|would you like me to)\b.*\b(?:commit|push|merge|open|run|rerun|start|continue|proceed|go on|look|check|show|deploy|review|create a (?:branch|pr|pull request))\b/i;
const ASKS_FOR_SECRET =
  /^(?:what|which|enter|please)\b.*\b(?:pass(?:word|phrase|code)|pin|otp|secret|api key|token)\b/i;
const SHORT_WORD = /^(?:(?:yes|no|ok|okay|sure|skip|not now|later|go ahead|continue|proceed)\b.{0,20})$/i;
