/** At spaces where there are some; a word that is longer than a line is cut. */
export function wrapLine(line: string, width: number): readonly string[] {
  const lines: string[] = [];
  let rest = [...line];
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > 0 && rest.slice(0, space).some((character) => character !== ' ') ? space : width;
    lines.push(rest.slice(0, end).join(''));
    rest = rest.slice(rest[end] === ' ' ? end + 1 : end);
  }
  return [...lines, rest.join('')];
}
