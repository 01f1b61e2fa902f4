import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { noticeText } from './notice-text.js';

/** What the editor takes for a link in a notification, and for an icon. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const ICON = /\$\([\w-]+(?:~\w+)?\)/;

it('holds no link and no icon, however they are written', () => {
  const texts = [
    '[Approve](command:x)',
    '[a]]((https://b.c)',
    '[a]\n(command:x)',
    '[[a]](command:x) $(trash) $$((x))',
    '[a](file:///x "t")',
  ];
  for (const text of texts) {
    expect(noticeText(text), text).not.toMatch(LINK);
    expect(noticeText(text), text).not.toMatch(ICON);
  }
  expect(noticeText('Plain text stays [as] it (is).')).toBe('Plain text stays [as] it (is).');
});

it('is used for every text in notifications and lists that is not ours', () => {
  const folder = join(import.meta.dirname, '../editor');
  const calls = readdirSync(folder).flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const matches = text.matchAll(
      /show(?:Information|Warning|Error)Message\(\s*`([^`]*)`|progress\.report\(\{ message: ([^}]*)\}|(?:label|description|detail|placeholder)\s*[:=] ?`([^`]*)`/g,
    );
    return [...matches].map(([, notice, progress, list]) => ({ name, text: notice ?? progress ?? list ?? '' }));
  });
  expect(calls.length).toBeGreaterThan(10);
  expect(calls.filter(({ text }) => text.includes('plainLine('))).toEqual([]);
  expect(calls.filter(({ text }) => text.includes('noticeText(')).length).toBeGreaterThan(3);
});
