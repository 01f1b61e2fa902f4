/*
 * node scripts/terminal-picture.mjs: plays the demo and makes docs/images/terminal.svg from what it prints: the first
 * question, which agents settle, and the last one, which a human decides.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { ensureBuilt } from './build.mjs';

const TARGET = 'docs/images/terminal.svg';
const TOPICS = ['Database layer', 'Retention of audit logs'];
const FONT = { size: 13, width: 7.83, line: 19 };
const MARGIN = 18;
const ESCAPE = String.fromCharCode(27);
const COLOURS = { 31: '#ff8a80', 32: '#8fd694', 33: '#f2cc60' };

await ensureBuilt();
const { stdout } = spawnSync(process.execPath, ['dist/agentx.cjs', 'demo'], {
  encoding: 'utf8',
  env: { PATH: process.env.PATH, HOME: process.env.HOME, FORCE_COLOR: '1' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const lines = [...stdout.split('\n\n').filter(isShown).flatMap(linesOf).slice(0, -1), ...ending(stdout.split('\n'))];
if (lines.includes(undefined)) throw new Error('The demo did not print what the picture shows.');
writeFileSync(TARGET, `${picture(lines)}\n`);
console.log(`Wrote ${TARGET}.`);

function isShown(paragraph) {
  return TOPICS.some((topic) => paragraph.split('\n')[0].includes(topic));
}

/** Up to the command that answers: the link to the demo's page, which follows, ends with the demo. */
function linesOf(paragraph) {
  const all = paragraph.split('\n').filter((line) => !line.includes('(CLR-2-'));
  const answer = all.findIndex((line) => line.startsWith('  Answer:'));
  return [...(answer < 0 ? all : all.slice(0, answer + 1)), ''];
}

/** The human's answer, and the agent that goes on with it: other conversations may come between the two. */
function ending(all) {
  const answer = all.findIndex((line) => line.includes('[You]'));
  const after = all.slice(answer).find((line) => /\[Engineer\].*Clarification resolved/.test(line));
  return [all[answer], after];
}

function picture(all) {
  const columns = Math.max(...all.map((line) => pieces(line).reduce((sum, { text }) => sum + text.length, 0)));
  const width = Math.ceil(columns * FONT.width) + 2 * MARGIN;
  const height = all.length * FONT.line + 2 * MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
    `  font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT.size}">`,
    '<title>The demo in a terminal: agents settle one question among themselves, a human decides another</title>',
    `<rect width="100%" height="100%" rx="8" fill="#16191f"/>`,
    ...all.map((line, index) => row(line, MARGIN + FONT.size + index * FONT.line)),
    '</svg>',
  ].join('\n');
}

function row(line, y) {
  let column = 0;
  const spans = pieces(line).map(({ text, style }) => {
    const x = (MARGIN + column * FONT.width).toFixed(1);
    column += text.length;
    return `<tspan x="${x}" textLength="${(text.length * FONT.width).toFixed(1)}"${style}>${escaped(text)}</tspan>`;
  });
  return `<text y="${y}" fill="#d7dae0" xml:space="preserve">${spans.join('')}</text>`;
}

/** The parts of a line that look alike, each with the attributes that make it look so. */
function pieces(line) {
  const looks = { bold: false, faint: false, colour: undefined };
  return line.split(ESCAPE).flatMap((part) => {
    const [, code, text] = /^(?:\[(\d+)m)?(.*)$/.exec(part);
    if (code === '1') looks.bold = true;
    else if (code === '2') looks.faint = true;
    else if (code === '22') Object.assign(looks, { bold: false, faint: false });
    else if (code !== undefined) looks.colour = COLOURS[code];
    return text === '' ? [] : [{ text, style: styleOf(looks) }];
  });
}

function styleOf({ bold, faint, colour }) {
  const weight = bold ? ' font-weight="bold"' : '';
  const fill = colour ?? (faint ? '#8b919c' : undefined);
  return fill === undefined ? weight : `${weight} fill="${fill}"`;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
