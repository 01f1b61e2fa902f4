import { wrapSentence } from '../../render/wrap-sentence.js';

/** An explanation that has less room beside its command stands below it. */
const LEAST_COLUMNS = 18;
const BELOW = 6;

const PARAGRAPH = /^\S.*(?:\n\S.*)*/gm;
/** A command with its explanation, which may go on in the lines below. */
const EXPLAINED = /^( +\S.*?)( {2,})(\S.*(?:\n {10,}\S.*)*)$/gm;
const CONTINUED = /^( {10,})(\S.*)$/gm;

/** The texts below the options of a help, which commander prints as they are. Commands are not broken: people copy them. */
export function fitHelp(help: string, width: number): string {
  return help
    .replace(PARAGRAPH, (paragraph) => {
      const fits = paragraph.split('\n').every((line) => line.length <= width);
      return fits ? paragraph : wrapSentence(paragraph.replaceAll('\n', ' '), width);
    })
    .replace(EXPLAINED, (lines, command: string, gap: string, text: string) => {
      if (lines.split('\n').every((line) => line.length <= width)) return lines;
      const explanation = text.replace(/\n +/g, ' ');
      const column = command.length + gap.length;
      if (width - column < LEAST_COLUMNS) return `${command}\n${indented(explanation, BELOW, width)}`;
      return command + gap + indented(explanation, column, width).trimStart();
    })
    .replace(CONTINUED, (line, indent: string, explanation: string) =>
      line.length <= width ? line : indented(explanation, Math.min(indent.length, width - LEAST_COLUMNS), width),
    );
}

function indented(text: string, column: number, width: number): string {
  const indent = ' '.repeat(Math.max(0, column));
  return indent + wrapSentence(text, Math.max(1, width - column)).replaceAll('\n', `\n${indent}`);
}
