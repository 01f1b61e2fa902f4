/*
 * What a few common words promise of a result, so that an example can be compared with them. For instance, the largest
 * of a list is in the list, and a count of elements is no larger than their number. Only where the sentence says
 * nothing else. Pure.
 */

/** Whether the result of a call cannot be what the description says. */
export function breaksWord(call: string, result: string, prose: string): boolean {
  if (hasStranger(call, result, prose)) return true;
  const input = onlyArgument(call);
  if (input === undefined) return false;
  const output = numberIn(result);
  const numbers = numbersIn(input);
  if (output !== undefined && numbers !== undefined && numbers.length > 0)
    return isNotExtreme(output, numbers, prose) || isTooMany(output, numbers.length, prose);
  if (output !== undefined && /^(['"]).*\1$/.test(input)) return isTooMany(output, input.length - 2, prose);
  const list = numbersIn(result);
  return list !== undefined && numbers !== undefined && isOtherSet(list, numbers, prose);
}

const TAKES_OUT = /^\s*(?:filters?|selects?|keeps?|picks?)\b(?! .*\b(?:and|then) )/im;

/** What is filtered was in the list before. */
function hasStranger(call: string, result: string, prose: string): boolean {
  const firstList = /^\w+\(\s*(\[[^[\]]*\])/.exec(call)?.[1];
  if (firstList === undefined || !/^\[[^[\]]*\]$/.test(result) || !TAKES_OUT.test(prose)) return false;
  const before = itemsIn(firstList);
  return itemsIn(result).some((item) => !before.includes(item));
}

function itemsIn(list: string): readonly string[] {
  const items = list.slice(1, -1).split(',');
  return items.map((item) => item.trim().replaceAll('"', "'")).filter((item) => item !== '');
}

/** The argument of a call that has one; a list or a text. */
function onlyArgument(call: string): string | undefined {
  const argument = /^\w+\((.*)\)$/s.exec(call)?.[1]?.trim() ?? '';
  return /^\[[^[\]]*\]$|^'[^']*'$|^"[^"]*"$/.test(argument) ? argument : undefined;
}

function numberIn(text: string): number | undefined {
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

function numbersIn(text: string): readonly number[] | undefined {
  const listText = /^[[(]([-\d.,\s]*)[\])]$/.exec(text)?.[1];
  if (listText === undefined) return undefined;
  const numbers = listText.split(',').filter((part) => part.trim() !== '');
  return numbers.map(Number);
}

const EXTREME =
  /\b(?:return|returns|find|finds|get) (?:the )?(maximum|max|largest|biggest|greatest|minimum|min|smallest|lowest) (?:element|number|value|item|integer)s? (?:in|of|from) (?:the |a |this )?(?:given |input )?(?:list|array|sequence|numbers|integers)\s*(?:\.|$)/im;

function isNotExtreme(output: number, numbers: readonly number[], prose: string): boolean {
  const word = EXTREME.exec(prose)?.[1]?.toLowerCase();
  if (word === undefined) return false;
  return output !== (/^(?:max|lar|big|gre)/.test(word) ? Math.max(...numbers) : Math.min(...numbers));
}

const COUNT =
  /\b(?:returns?|returning|find|count|counts)\s+(?:the )?(?:number|count) of (?:\w+ ){0,3}?(?:elements|items|numbers|integers|words|letters|characters|vowels|digits|values)\b|\bhow many (?:\w+ ){0,2}(?:elements|items|numbers|words|letters|characters|vowels|digits)\b/i;

function isTooMany(output: number, size: number, prose: string): boolean {
  return (
    COUNT.test(prose) && !/\b(?:sum|total|product|pairs|triples|ways|combinations)\b/i.test(prose) && output > size
  );
}

const SET =
  /\breturns? (?:the |a )?(?:list of )?(?:sorted |all )?(?:unique|distinct) (?:elements|numbers|values|items) (?:in|of|from) (?:the|a|this)(?: given)? (?:list|array)\s*(?:\.|$|\n)/im;

function isOtherSet(list: readonly number[], numbers: readonly number[], prose: string): boolean {
  return SET.test(prose) && [...new Set(numbers)].sort().join() !== [...list].sort().join();
}
