import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ServerFile } from './clients.js';
import { editJson, JsonFile, readJson } from './edit-json.js';
import { readToml, removeTomlTable, setTomlTable } from './edit-toml.js';
import { readYaml, removeYamlItem, setYamlItem } from './edit-yaml.js';
import { splitBom } from './text-file.js';
import { UneditableError } from './uneditable.js';

export type Entry = Readonly<Record<string, unknown>>;

/** The name of our server in every client. */
const NAME = 'agentx';

/** What a client's file says of our server; undefined if it does not name it. */
export function readEntry(
  { format, servers }: Pick<ServerFile, 'format' | 'servers'>,
  text: string,
): Entry | undefined {
  const data = { json: readJson, toml: readToml, yaml: readYaml }[format](text);
  let value: unknown = data;
  for (const key of servers) value = isObject(value) ? value[key] : undefined;
  const entry = Array.isArray(value)
    ? value.find((item) => isObject(item) && item.name === NAME)
    : isObject(value) && Object.hasOwn(value, NAME)
      ? value[NAME]
      : undefined;
  if (entry === undefined) return undefined;
  if (!isObject(entry))
    throw new UneditableError(`has something else than a server at '${[...servers, NAME].join('.')}'`);
  return entry;
}

/** The program and its arguments; undefined if the entry starts none. */
export function commandOf({ command, args }: Entry): readonly string[] | undefined {
  const parts = [...(Array.isArray(command) ? command : [command]), ...(Array.isArray(args) ? args : [])];
  return parts.length > 0 && parts.every((part) => typeof part === 'string') ? parts : undefined;
}

/** Whether it starts `agentx mcp`, wherever the program is. */
export function isOurs(entry: Entry): boolean {
  const parts = commandOf(entry) ?? [];
  const program = parts.findIndex((part) =>
    /^agentx(?:\.c?js|\.cmd|\.exe)?$/.test(basename(part.replaceAll('\\', '/'))),
  );
  return program >= 0 && parts[program + 1] === 'mcp';
}

/**
 * The entry as it should be. We say how our program is started. Arguments that the user added after `mcp`, and all
 * other settings of the entry, stay as the user has them.
 */
export function mergedEntry(ownEntry: Entry, existingEntry: Entry | undefined): Entry {
  if (existingEntry === undefined) return ownEntry;
  const parts = commandOf(existingEntry) ?? [];
  const addedArguments = parts.slice(parts.indexOf('mcp') + 1);
  const plus = (list: unknown) => (Array.isArray(list) && list.at(-1) === 'mcp' ? [...list, ...addedArguments] : list);
  const values = Object.entries(ownEntry).map(([key, value]) => {
    if (key === 'command' || key === 'args') return [key, plus(value)];
    if (isObject(value) && isObject(existingEntry[key])) return [key, { ...value, ...existingEntry[key] }];
    return [key, existingEntry[key] ?? value];
  });
  return Object.fromEntries(values);
}

export function writeEntry(file: ServerFile, text: string, entry: Entry): string {
  const { format, servers, frame = {} } = file;
  if (format === 'toml') return setTomlTable(text, [...servers, NAME], entry);
  if (format === 'yaml') {
    const start =
      text.trim() === ''
        ? Object.entries(frame)
            .map(([key, value]) => `${key}: ${value}\n`)
            .join('')
        : text;
    return setYamlItem(start, servers.join('.'), { ...entry, name: NAME });
  }
  return editJson(text, (json) => {
    if (text.trim() === '') for (const [key, value] of Object.entries(frame)) json.set([key], value);
    const path = [...servers, NAME];
    if (json.value(path) === undefined) json.set(path, entry);
    else for (const [key, value] of Object.entries(entry)) json.set([...path, key], value);
  });
}

/** Without our server; the empty text if nothing but the frame of a new file is left. */
export function removeEntry({ format, servers, frame = {} }: ServerFile, text: string): string {
  if (format === 'toml') {
    const rest = removeTomlTable(text, [...servers, NAME]);
    return rest.trim() === '' ? '' : rest;
  }
  if (format === 'yaml') {
    const rest = removeYamlItem(text, servers.join('.'), NAME);
    return isDeepStrictEqual({ ...readYaml(rest) }, { ...frame }) && !rest.includes('#') ? '' : rest;
  }
  const rest = editJson(text, (json) => {
    json.remove([...servers, NAME]);
    removeIfEmpty(json, servers);
  });
  return isOnlyFrame(rest, frame) ? '' : rest;
}

/** Removes objects and lists that have become empty, from the inside out. */
export function removeIfEmpty(json: JsonFile, path: readonly string[]): void {
  for (let length = path.length; length > 0; length--) {
    const value = json.value(path.slice(0, length));
    if (typeof value !== 'object' || value === null || Object.keys(value).length > 0) return;
    if (json.hasComment(path.slice(0, length))) return;
    json.remove(path.slice(0, length));
  }
}

/** Whether nothing is left that a user could have written. */
export function isOnlyFrame(text: string, frame: Entry): boolean {
  const json = new JsonFile(splitBom(text).body);
  return isDeepStrictEqual({ ...Object(json.value([])) }, { ...frame }) && !json.hasComment([]);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
