import type { Command } from 'commander';

/** The exit codes of a command and its verbs, if it has more than the common ones. */
const OWN: ReadonlyMap<string, string> = new Map([
  [
    'ask',
    `0 answered, or asked where it does not block; 3 waits for a human; 1 refused or failed;
2 bad input; 4 no such issue; 130 interrupted: the clarification stays open.`,
  ],
  [
    'clarify',
    `0 done, also where it was so already; 3 waits for a human; 1 refused or failed; 2 bad input;
4 no such clarification; 130 interrupted.`,
  ],
  [
    'inbox',
    `0 done, also where it was so already; 3 left open; 1 refused: another person was first; 2 bad input;
4 no such question; 130 interrupted.`,
  ],
  [
    'run',
    '0 done, 3 paused (a person has to answer: agentx inbox), 1 failed, 2 bad input, 4 no such issue, 130 interrupted.',
  ],
  ['doctor', '0 all is well, 1 problems are left, 2 bad input, 4 no .agentx folder.'],
  ['trust', '0 approved, 1 not approved, 2 bad input, 4 no .agentx folder.'],
]);

const OF_ALL = '0 done, 1 failed or refused, 2 bad input, 4 not found, 130 interrupted.';

const TABLE = `
Exit codes:
  0    done
  1    failed or refused
  2    bad command line or value
  3    waits for a human: agentx inbox
  4    there is no such issue, clarification or question
  130  interrupted (143 ended, 129 hung up); what was written stays`;

export function exitCodesOf(command: Command): string {
  if (command.parent === null) return TABLE;
  const noun = command.parent.parent === null ? command : command.parent;
  return `\nExit codes: ${OWN.get(noun.name()) ?? OF_ALL}`;
}
