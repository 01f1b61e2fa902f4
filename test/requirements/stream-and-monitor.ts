import { group, type Requirement } from './group.js';

/** US-4 and US-5: what people see of a clarification, and what the monitor does about a bad one. */
export const streamAndMonitor: readonly Requirement[] = [
  ...group('US-4.1', 'chat stream', [
    [
      '000 4.1 P0.6, 5 US-4.1; 003 8.3 Chat rendering',
      'A question is streamed as "[Engineer -> Architect] Clarification: ..." with topic, id, round and blocking.',
    ],
    ['000 5 US-4.1', 'The answer is streamed as "[Architect] ...".'],
    ['000 5 US-4.1', 'A resolution is streamed as "[Engineer] Clarification resolved. Continuing...".'],
    [
      '000 4.1 P0.6, 5 US-4.1',
      'An escalation is a block of its own, "[ESCALATED]", with summary, positions, options and what to do.',
    ],
    [
      '000 4.1 P0.6, 3 user criteria',
      'The stream alone is enough to follow a clarification and to know how to act; no other view is needed.',
    ],
    [
      '000 4.1 P1.5; 003 8.3 Chat rendering',
      'The chat shows the stream as Markdown in the running response, round by round.',
    ],
    ['contract 5', 'Terminal and chat show the same stream for the same events.'],
    [
      'contract 9',
      "Agents' text is shown as text: escapes and control characters are stripped, Markdown cannot forge a line.",
    ],
  ]),
  ...group('US-4.2', 'terminal thread', [
    [
      '000 4.1 P0.6, 5 US-4.2',
      "agentx clarify --issue N prints the issue's threads whole, with rounds, times and status.",
    ],
    ['000 12 CLI output', 'Questions are marked Q, answers A, and the closing entry RESOLVED or ESCALATED.'],
    [
      '000 5 US-4.2, 4.1 P1.3; 003 8.3 CLI rendering',
      'The terminal output uses ANSI colours in the style of the other commands.',
    ],
    [
      'contract 5; terminal',
      'Colour appears on a terminal only, obeys NO_COLOR and FORCE_COLOR and never carries meaning alone.',
    ],
    ['terminal', "Long text wraps under its label at the terminal's width."],
  ]),
  ...group('US-5.1', 'stale clarifications', [
    [
      '000 4.1 P1.1, 5 US-5.1',
      'Each clarification has an SLA timer: 30 minutes by default, clarify_sla_minutes otherwise.',
    ],
    [
      '000 4.1 P1.1, 6 secondary 2; 003 8.3 Stale detection',
      'A pending record whose staleAfter has passed is found stale by the next sweep.',
    ],
    [
      '000 4.1 P1.1, 5 US-5.1, 6 secondary 3; 003 2.4',
      'The first expiry starts the target once more with the same question.',
    ],
    ['000 5 US-5.1, 6 secondary 4; 001 3.2', 'The second expiry escalates.'],
    ['000 4.1 P1.3, 5 US-5.1; 003 12.4', 'agentx clarify stale lists stale and stuck records only.'],
    ['000 6 secondary 1', 'A sweep reads the ledgers of all issues.'],
    ['000 6 secondary 5; 003 2.4', 'A retry that brings an answer closes the matter without a human.'],
    ['003 3.4', 'autoRetry says whether it retried and the status that came of it.'],
    ['001 7; 000 4.3', 'A target that never answers cannot hold up its requester longer than two SLA periods.'],
    [
      'contract 2',
      'staleAfter starts anew with every question and with the retry, and the retry is counted in the record.',
    ],
    [
      'contract 2',
      'The retry runs in the foreground of the command that found it, announced on stderr; --no-retry only reports.',
    ],
    ['contract 2', 'An answer to a stale record is accepted: it passes through pending to answered.'],
  ]),
  ...group('US-5.2', 'stuck clarifications', [
    ['000 5 US-5.2, 4.1 P1.1', 'Two questions of one thread in a row that say the same are found stuck.'],
    ['000 5 US-5.2, 4.1 P1.1; 003 8.3 Stuck detection', 'A asking B what B has open with A is found stuck.'],
    ['000 5 US-5.2; 001 3.2', 'A stuck clarification is escalated by itself.'],
    [
      'contract 2',
      'Questions that differ in substance, at a word-set similarity of 0.8 or less, are not taken for stuck.',
    ],
  ]),
  ...group('US-5.3', 'deadlocks', [
    [
      '000 4.1 P1.1, 5 US-5.3, 6 tertiary 1; 003 8.3 Deadlock detection',
      'Two agents with blocking clarifications at each other are found deadlocked.',
    ],
    [
      '000 4.1 P1.1, 5 US-5.3, 6 tertiary 2; 001 7',
      'The upstream agent keeps its clarification: product manager before architect before engineer.',
    ],
    [
      '000 5 US-5.3, 6 tertiary 3; 003 8.3 Deadlock detection',
      "The downstream agent's clarification is escalated with its context.",
    ],
    ['000 6 tertiary 4', 'After the break the remaining clarification goes on to its answer.'],
    ['003 3.4', 'breakDeadlock says which record was escalated and which goes on.'],
    [
      'contract 2',
      'A cycle of any length, across issues, is broken by escalating the record of its most downstream agent.',
    ],
    ['contract 2', 'Non-blocking records never make a deadlock.'],
    ['contract 2', "Where the workflow's needs order two agents, that order beats the general list."],
  ]),
  ...group('US-5.4', 'monitoring at the boundaries', [
    ['000 4.1 P1.2, 5 US-5.4, 12 triggers', 'agentx hook start runs the monitor.'],
    ['000 4.1 P1.2, 5 US-5.4, 12 triggers', 'agentx hook finish runs the monitor.'],
    ['000 4.1 P1.2, 5 US-5.4, 12 triggers', 'agentx ready runs the monitor.'],
    ['000 4.1 P1.2, 5 US-5.4, 12 triggers', 'Every clarify subcommand runs the monitor.'],
    ['000 12 triggers', 'agentx state runs no monitor and writes nothing.'],
    [
      '000 4.1 P1.2, 5 US-5.4, 12 triggers',
      'The editor extension may run the same check from time to time; nothing depends on it.',
    ],
    [
      '000 4.1 P1.2, 5 US-5.4',
      'No daemon, cron job or other background process is needed: none is left running after a command.',
    ],
    ['003 3.4', 'A check gives back the stale, the stuck and the deadlocked records.'],
    ['003 7.1', 'A check over ten issues takes less than 500 ms.'],
    [
      '003 7.2',
      'Nothing polls: ledgers are scanned when a trigger fires, and with nothing stale no program is started.',
    ],
    ['contract 1, 2', 'A corrupt ledger is skipped with a warning and the rest of the sweep goes on.'],
    ['contract 2', 'Whatever a crash left undone between two writes, the next sweep completes, exactly once.'],
    [
      'reliability scale',
      'A warm sweep over 10,000 ledgers, 1 in 100 active, costs at most twice a readdir and stat of the folder.',
    ],
    [
      'reliability scale',
      'ready, clarify and hook take at most 2 times node -e 0 with 10 issues and 3 times with 10,000.',
    ],
  ]),
  ...group('US-5.5', 'abandoned clarifications', [
    [
      '000 4.1 P1.1, 4.3 recovery',
      'A pending record whose requester went on to other work without resolving is found abandoned.',
    ],
    [
      'contract 2',
      "The requester's entry for that issue at done or idle, or its ended run, decides; other issues do not matter.",
    ],
    ['contract 2', 'Only pending records are judged abandoned, and the event clarification-abandoned says so.'],
  ]),
];
