/** ` Did you mean 'command'? Allowed: runner, command.` */
export function suggestion(word: string, allowed: readonly string[]): string {
  const near = nearestWord(word, allowed);
  return `${near === undefined ? '' : ` Did you mean '${near}'?`} Allowed: ${allowed.join(', ') || 'none'}.`;
}

/** The allowed word that was most likely meant, if one is near enough. */
function nearestWord(typed: string, allowed: readonly string[]): string | undefined {
  const word = typed.slice(0, MAX_WORD);
  const limit = Math.max(1, Math.floor(word.length / 3));
  let best: { readonly word: string; readonly distance: number } | undefined;
  for (const candidate of allowed) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance <= limit && (best === undefined || distance < best.distance)) best = { word: candidate, distance };
  }
  return best?.word ?? abbreviated(word, allowed);
}

/**
 * `conf` is `configuration`, `rdy` is `ready`. First choice is the only allowed word that begins so. Otherwise it is
 * the only word that begins with the same letter and has the other letters in the same order. They must be at least two
 * in five of its own letters.
 */
function abbreviated(typed: string, allowed: readonly string[]): string | undefined {
  const word = typed.toLowerCase();
  if (word.length < 2) return undefined;
  const beginSo = allowed.filter((candidate) => candidate.toLowerCase().startsWith(word));
  const [first, ...others] =
    beginSo.length > 0 ? beginSo : allowed.filter((candidate) => isShortFor(word, candidate.toLowerCase()));
  return others.length === 0 ? first : undefined;
}

function isShortFor(word: string, candidate: string): boolean {
  if (word[0] !== candidate[0] || word.length < (2 * candidate.length) / 5) return false;
  let from = 0;
  for (const letter of word) {
    from = candidate.indexOf(letter, from) + 1;
    if (from === 0) return false;
  }
  return true;
}

/** How many letters must be added, left out, replaced or swapped with their neighbour. */
function editDistance(left: string, right: string): number {
  let beforePrevious: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current.push(
        Math.min(
          at(previous, column) + 1,
          at(current, column - 1) + 1,
          at(previous, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(beforePrevious, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, right.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;

/** A longer word is no typing error, and the cost of comparing is the square of its length. */
const MAX_WORD = 80;
