/** How a text is written, so that what joins it is written alike. */
export interface TextStyle {
  readonly eol: string;
  /** One level of indentation. */
  readonly indent: string;
}

const BOM = '\uFEFF';

/** The byte order mark of a text, which stays in front of it, and the rest. */
export function splitBom(text: string): { readonly bom: string; readonly body: string } {
  return text.startsWith(BOM) ? { bom: BOM, body: text.slice(BOM.length) } : { bom: '', body: text };
}

export function styleOf(text: string): TextStyle {
  const [, indent = '  '] = /^([ \t]+)\S/m.exec(text) ?? [];
  return { eol: eolOf(text), indent: indent.startsWith('\t') ? '\t' : indent };
}

export function eolOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

/** Puts `replacement` in the place of a part of the text. */
export function splice(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** Where the line of this position begins. */
export function lineStart(text: string, position: number): number {
  return text.lastIndexOf('\n', position - 1) + 1;
}

/** The blanks at the beginning of the line of this position. */
export function indentAt(text: string, position: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, position)))?.[0] ?? '';
}
