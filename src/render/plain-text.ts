/**
 * Escape sequences that steer a terminal: CSI, OSC (titles, links, clipboard), DCS and their kin, two-byte ones. Of one
 * without an end only the start is taken out: it must not hide the words behind it.
 */
const ESCAPES =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|[ -/]*[0-~])|\u009b[0-?]*[ -/]*[@-~]/g;
/** The remaining control characters, except line break and tab, and characters that reverse the reading direction. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\p{Bidi_Control}]/gu;

/** Text from agents is data: nothing in it reaches the terminal as a command. */
export function plainText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(ESCAPES, '').replace(CONTROLS, '');
}

/** The same for lines that are measured: a tab would take up to eight columns, and count as one. */
export function plainLines(text: string): readonly string[] {
  return plainText(text).replaceAll('\t', '    ').split('\n');
}

/** The same on one line. */
export function plainLine(text: string): string {
  return plainText(text).replace(/\s+/g, ' ').trim();
}
