import type { OwnProgram } from '../../app/own-program.js';
import type { Hooks } from './clients.js';
import { editJson, type JsonFile, readJson } from './edit-json.js';
import { isObject, isOnlyFrame, removeIfEmpty } from './server-entry.js';

/** By these words we know a hook of ours, whatever is in front of them. */
const OURS = /\bhook (?:start|finish) \S+ --session$/;

interface Report {
  readonly program: OwnProgram;
  readonly agent: string;
}

export function hasHooks({ start, finish }: Hooks, text: string): boolean {
  const hooks = Object(Object(readJson(text)).hooks);
  return [start, finish ?? start].some((event) => ownIndexes(hooks[event]).length > 0);
}

/** One hook of ours for each event, in the place of the present one or after the hooks of other programs. */
export function setHooks(
  { start, finish, entry, frame = {} }: Hooks,
  text: string,
  { program, agent }: Report,
): string {
  const command = (phase: string) =>
    `${[program.command, ...program.args].map(quoted).join(' ')} hook ${phase} ${agent} --session`;
  const hookLines = [
    [start, command('start')] as const,
    ...(finish === undefined ? [] : [[finish, command('finish')] as const]),
  ];
  return editJson(text, (json) => {
    if (text.trim() === '') for (const [key, value] of Object.entries(frame)) json.set([key], value);
    for (const [event, line] of hookLines) setHook(json, event, entry(line));
  });
}

function setHook(json: JsonFile, event: string, entry: Readonly<Record<string, unknown>>): void {
  const path = ['hooks', event];
  const list = json.value(path);
  const [first] = ownIndexes(list);
  if (first === undefined) json.append(path, entry);
  else if (JSON.stringify(Array.isArray(list) ? list[first] : undefined) !== JSON.stringify(entry)) {
    json.remove([...path, first]);
    json.append(path, entry);
  }
}

export function removeHooks({ frame = {} }: Hooks, text: string): string {
  const hooks = Object(readJson(text)).hooks;
  if (!isObject(hooks)) return text;
  const events = Object.keys(hooks).filter((event) => ownIndexes(hooks[event]).length > 0);
  if (events.length === 0) return text;
  const rest = editJson(text, (json) => {
    for (const event of events) {
      for (const index of ownIndexes(hooks[event]).toReversed()) json.remove(['hooks', event, index]);
      removeIfEmpty(json, ['hooks', event]);
    }
  });
  return isOnlyFrame(rest, frame) ? '' : rest;
}

/** The elements that run nothing but a hook of ours. */
function ownIndexes(list: unknown): readonly number[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item, index) =>
    commandsIn(item).length > 0 && commandsIn(item).every((one) => OURS.test(one)) ? [index] : [],
  );
}

function commandsIn(item: unknown): readonly string[] {
  if (!isObject(item)) return [];
  const own = [item.command, item.bash].filter((value) => typeof value === 'string');
  return [...own, ...(Array.isArray(item.hooks) ? item.hooks.flatMap(commandsIn) : [])];
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
