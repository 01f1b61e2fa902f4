/** How many unchanged lines are shown around a change. */
const CONTEXT = 3;
/** Longer lines are shown from where they differ. */
const SHOWN_CHARACTERS = 240;
/** Beyond this many pairs of lines, what lies between the first and the last change counts as changed. */
const MAX_PAIRS = 4_000_000;

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'gap';
  readonly text: string;
}

/**
 * What a change does to a text, line by line, as people read it. Values that look like secrets are not shown: a diff is
 * copied into logs and tickets.
 */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const left = linesOf(before);
  const right = linesOf(after);
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let tail = 0;
  const mostInTail = Math.min(left.length, right.length) - start;
  while (tail < mostInTail && left.at(-1 - tail) === right.at(-1 - tail)) tail += 1;
  const middle = changesOf(left.slice(start, left.length - tail), right.slice(start, right.length - tail));
  const sameLines = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind: 'same', text }));
  const all = [...sameLines(left.slice(0, start)), ...middle, ...sameLines(left.slice(left.length - tail))];
  return withoutFarLines(all).map(shown);
}

const MARKS = { same: ' ', added: '+', removed: '-', gap: ' ' } as const;

export function diffText({ kind, text }: DiffLine): string {
  return kind === 'gap' ? '  ...' : `${MARKS[kind]} ${text}`.trimEnd();
}

function linesOf(text: string): readonly string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** The longest common lines stay, by the usual table of lengths. */
function changesOf(left: readonly string[], right: readonly string[]): readonly DiffLine[] {
  const removedLine = (text: string): DiffLine => ({ kind: 'removed', text });
  const addedLine = (text: string): DiffLine => ({ kind: 'added', text });
  if (left.length * right.length > MAX_PAIRS) return [...left.map(removedLine), ...right.map(addedLine)];
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      lengths[i * width + j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const changes: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    const [one = '', other = ''] = [left[i], right[j]];
    if (i < left.length && j < right.length && one === other) {
      changes.push({ kind: 'same', text: one });
      i += 1;
      j += 1;
    } else if (j >= right.length || (i < left.length && at(i + 1, j) >= at(i, j + 1))) {
      changes.push(removedLine(one));
      i += 1;
    } else {
      changes.push(addedLine(other));
      j += 1;
    }
  }
  return changes;
}

function withoutFarLines(lines: readonly DiffLine[]): readonly DiffLine[] {
  const near = new Set<number>();
  for (const [index, { kind }] of lines.entries()) {
    if (kind === 'same') continue;
    for (let other = index - CONTEXT; other <= index + CONTEXT; other++) near.add(other);
  }
  return lines.flatMap((line, index): DiffLine[] => {
    if (near.has(index)) return [line];
    return near.has(index + 1) && index > 0 ? [{ kind: 'gap', text: '' }] : [];
  });
}

const SECRET =
  /((?<![\w-])[\w-]*(?:key|token|secret|password|passwd|authorization|credential)[\w-]*["']?\s*[:=]\s*)(["'])(?:(?!\2)[^\\]|\\.)+\2/gi;

function shown({ kind, text }: DiffLine): DiffLine {
  const hiddenText = text.replace(SECRET, '$1$2...$2');
  if (hiddenText.length <= SHOWN_CHARACTERS) return { kind, text: hiddenText };
  const at = Math.max(0, hiddenText.indexOf('agentx') - SHOWN_CHARACTERS / 2);
  const part = hiddenText.slice(at, at + SHOWN_CHARACTERS);
  return { kind, text: `${at > 0 ? '...' : ''}${part}${at + SHOWN_CHARACTERS < hiddenText.length ? '...' : ''}` };
}
