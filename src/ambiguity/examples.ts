import type { Ambiguity } from './ambiguity.js';
import { breaksWord } from './promised-results.js';

/*
 * Examples in the description of a function that contradict it, or each other. Such are the same call with two results,
 * a result of another type than promised, and a list that is not in the promised order. Pure.
 */

interface Example {
  readonly call: string;
  readonly result: string;
}

const MAX_EXAMPLES = 50;
const INLINE =
  /^[ \t]*(?:[-*][ \t]*)?(?:assert )?`?(\w+\([^\n]*?\))`?\s*(?:->|={1,2}>|==|\u279e|\u2192|returns|should (?:return|be|equal))\s*`?([^\n`#]+?)`?\s*$/gm;

function examplesIn(text: string): readonly Example[] {
  const lines = text.split('\n');
  const printedExamples = lines.flatMap((line, index) => {
    const [, call] = /^\s*>>>\s*(\w+\(.*\))\s*$/.exec(line) ?? [];
    const result = lines[index + 1]?.replace(/"""|'''/g, '').trim() ?? '';
    return call === undefined || result === '' || result.startsWith('>>>') ? [] : [{ call, result }];
  });
  const inline = [...text.matchAll(INLINE)].map(([, call = '', result = '']) => ({ call, result: result.trim() }));
  return [...printedExamples, ...inline].slice(0, MAX_EXAMPLES);
}

export function contradictedExamples(text: string, prose: string): readonly Ambiguity[] {
  const examples = examplesIn(text);
  const results = new Map<string, string>();
  return examples.flatMap((example) => {
    const call = example.call.replace(/\s+/g, '');
    const earlierResult = results.get(call);
    results.set(call, example.result);
    const isOther = earlierResult !== undefined && plainResult(earlierResult) !== plainResult(example.result);
    return isOther || breaksPromise(example, text, prose)
      ? [{ kind: 'contradiction' as const, quote: `${example.call} is ${example.result}` }]
      : [];
  });
}

const plainResult = (result: string) => result.replace(/\s+/g, '').replaceAll('"', "'");

type Kind = 'bool' | 'number' | 'text' | 'list' | 'none' | 'other';

function kindOf(result: string): Kind {
  if (/^(?:True|False|true|false)$/.test(result)) return 'bool';
  if (/^-?\d[\d_]*(?:\.\d+)?(?:e-?\d+)?$/.test(result)) return 'number';
  if (/^(['"]).*\1$/.test(result)) return 'text';
  if (/^[[({]/.test(result)) return 'list';
  return /^(?:None|null|undefined)$/.test(result) ? 'none' : 'other';
}

function breaksPromise({ call, result }: Example, text: string, prose: string): boolean {
  const kind = kindOf(result);
  if (breaksWord(call, result, prose)) return true;
  if (kind === 'none' || kind === 'other') return false;
  const expectedKind = promisedKind(text, prose);
  if (expectedKind !== undefined && expectedKind !== kind) return true;
  return kind === 'list' && isUnordered(result, prose);
}

const ANNOTATED: readonly (readonly [RegExp, Kind])[] = [
  [/->\s*bool\b/, 'bool'],
  [/->\s*(?:int|float)\b/, 'number'],
  [/->\s*str\b/, 'text'],
  [/->\s*(?:list|tuple|List|Tuple)\b/, 'list'],
];
const DESCRIBED_KINDS: readonly (readonly [RegExp, Kind])[] = [
  [/\breturns? (?:a )?(?:boolean|true\b)/i, 'bool'],
  [/\breturns? (?:a|the|one)(?: \w+)? (?:list|tuple|array)\b/i, 'list'],
  [/\breturns? (?:a|the)(?: \w+)? string\b/i, 'text'],
  [/\breturns? (?:the (?:number|count|sum|product|length) of|how many)\b/i, 'number'],
];

/** Only where the text promises one thing: two returns may be of two types. */
function promisedKind(text: string, phrase: string): Kind | undefined {
  const prose = phrase.replace(INLINE, '');
  const annotatedKind = ANNOTATED.find(([pattern]) => pattern.test(text))?.[1];
  if (annotatedKind !== undefined) return annotatedKind;
  const returns = prose.match(/\breturns?\b/gi)?.length ?? 0;
  if (returns !== 1 || /\b(?:otherwise|else|or)\b/i.test(prose)) return undefined;
  return DESCRIBED_KINDS.find(([pattern]) => pattern.test(prose))?.[1];
}

const DOWN = /\b(?:descending|decreasing)\b|\b(?:highest|largest|biggest)(?: \w+)? to (?:the )?(?:lowest|smallest)\b/i;
const UP = /\b(?:ascending|increasing)\b|\b(?:lowest|smallest)(?: \w+)? to (?:the )?(?:highest|largest|biggest)\b/i;
/** What decides about the order may be something else than the numbers themselves. */
const BY_OTHER =
  /\bby\b|\baccording\b|\bbased on\b|\blength\b|\bdigits?\b|\bbinary\b|\balternat|\b(?:if|unless|when)\b/i;

/** Without a word about the direction, small comes before large. */
const SORTED = /\bsort(?:s|ed|ing)?\b/i;
const ENOUGH_TO_SEE = 3;

function isUnordered(result: string, prose: string): boolean {
  const isDown = DOWN.test(prose);
  const isUp = UP.test(prose);
  if ((isDown && isUp) || BY_OTHER.test(prose)) return false;
  const numbers = /^[[(]([-\d.,\s]+)[\])]$/.exec(result)?.[1]?.split(',').map(Number) ?? [];
  if (numbers.length < 2 || numbers.some(Number.isNaN)) return false;
  const steps = numbers.slice(1).map((number, index) => number - (numbers[index] ?? number));
  if (isDown || isUp) return steps.some((step) => (isDown ? step > 0 : step < 0));
  return SORTED.test(prose) && numbers.length >= ENOUGH_TO_SEE && steps.every((step) => step < 0);
}
