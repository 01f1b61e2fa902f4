import type { Argument, Command, Option } from 'commander';
import { topics } from '../help/topics.js';

/** What a shell offers as a value: files, fixed words, or values from the store. */
export const VALUE_KINDS = [
  'unfinished-issues',
  'issues',
  'active-clarifications',
  'clarifications',
  'open-questions',
  'questions',
  'question-parts',
  'question-options',
  'assumptions',
  'observations',
  'agents',
  'workflows',
] as const;
export type ValueKind = (typeof VALUE_KINDS)[number];

export interface Value {
  readonly kind?: ValueKind | 'files' | 'folders';
  readonly words?: readonly string[];
}

/** Verbs that also take issues, questions and clarifications that have ended. */
const LOOKING = ['show', 'comment', 'reopen', 'compact', 'restore'];

/** What an argument stands for, by its name and its command. */
export function valueOfArgument(argument: Argument, command: Command): Value {
  if (argument.argChoices !== undefined) return { words: argument.argChoices };
  const looks = LOOKING.includes(command.name());
  switch (argument.name()) {
    case 'number':
    case 'issue':
      return { kind: looks ? 'issues' : 'unfinished-issues' };
    case 'agent':
      return { kind: 'agents' };
    case 'status':
      return { words: ['idle', 'working', 'done', 'stuck'] };
    case 'command':
      return { words: topics(command.parent ?? command) };
    case 'id':
      return idOf(command.parent?.name(), looks);
    default:
      return {};
  }
}

function idOf(noun: string | undefined, looks: boolean): Value {
  if (noun === 'clarify') return { kind: looks ? 'clarifications' : 'active-clarifications' };
  if (noun === 'inbox') return { kind: looks ? 'questions' : 'open-questions' };
  if (noun === 'memory') return { kind: 'observations' };
  return noun === 'assumptions' ? { kind: 'assumptions' } : {};
}

/** The same for an option; by the name of its value if the option has two meanings. */
export function valueOfOption({ long, flags, argChoices }: Option): Value {
  if (argChoices !== undefined) return { words: argChoices };
  switch (`${long} ${/<\S+>/.exec(flags)?.[0] ?? ''}`) {
    case '--issue <number>':
      return { kind: 'issues' };
    case '--agent <agent>':
    case '--from <agent>':
    case '--to <agent>':
      return { kind: 'agents' };
    case '--category <category>':
      return { words: ['decision', 'code-change', 'error', 'key-fact', 'compaction-summary'] };
    case '--workflow <name>':
      return { kind: 'workflows' };
    case '--question <id>':
      return { kind: 'question-parts' };
    case '--option <letter...>':
      return { kind: 'question-options' };
    case '--file <file>':
    case '--transcript <file>':
      return { kind: 'files' };
    case '--root <dir>':
      return { kind: 'folders' };
    default:
      return {};
  }
}
