import { group, type Requirement } from './group.js';

/** CL: the clarify commands, their limits and errors, failing targets, parallel steps, logs. */
export const clarifyCommands: readonly Requirement[] = [
  ...group('CL-1', 'clarify subcommands', [
    ['000 4.1 P1.3; 003 3.1, 12.4', 'agentx clarify lists all active clarifications with status, round and age.'],
    ['000 4.1 P1.3; 003 3.1', 'agentx clarify --issue N shows the threads of one issue.'],
    ['000 4.1 P1.3; 003 3.1', 'agentx clarify stale shows stale and stuck ones.'],
    ['000 4.1 P1.3; 003 3.1', 'agentx clarify resolve ID resolves an escalated clarification by hand and confirms it.'],
    ['000 4.1 P1.3; 003 3.1', 'agentx clarify escalate ID escalates a clarification by hand and confirms it.'],
    ['000 4.1 P1.3; 003 3.1', '--json gives every clarify subcommand a machine-readable answer.'],
    ['000 9 launch', 'The commands that are not about clarifications work as before.'],
    ['000 9 launch', 'The documentation describes the commands and the setup.'],
    ['contract 5', 'show, follow-up, answer and graph are subcommands too, and --all includes the closed ones.'],
    [
      'contract 5',
      'With --json, clarify gives {clarifications}, --issue the ledger, verbs {clarificationId, status, round}.',
    ],
    ['contract 5', 'Data goes to stdout, talk to stderr; the same verb twice is no error.'],
    ['contract 5', 'Exit codes are 0 done, 1 failed, 2 bad input, 3 waiting for a human and 4 not found.'],
    ['contract 5', 'agentx ask asks one clarification now and waits for its end; --non-blocking returns at once.'],
    ['contract 5', 'An issue without a ledger gives an empty one with exit code 0.'],
    ['000 7; contract 9', 'Source files and what the terminal prints of its own are ASCII.'],
    ['000 9 launch', 'One scenario through the built program touches every P0 story (US-1 to US-4) and succeeds.'],
  ]),
  ...group('CL-2', 'input limits', [
    ['003 6.3 fromAgent', 'An unknown requester is refused with the known names.'],
    ['003 6.3 toAgent', 'A target outside can_clarify is refused.'],
    ['003 6.3 topic', 'A topic is 1 to 200 characters long.'],
    ['003 6.3 question', 'A question is 1 to 2000 characters long.'],
    ['003 6.3 blocking', 'blocking is true or false and nothing else.'],
    [
      '003 6.3 clarificationId; 001 7',
      'A clarification id that does not match its pattern is refused before anything is read.',
    ],
    ['003 6.3 answer', 'An answer is 1 to 2000 characters long.'],
    ['contract 8', 'Refused input is INVALID_INPUT, exit code 2, and leaves nothing written.'],
    [
      'reliability bad input',
      'Wrong types, huge values, control characters, path traversal and prototype keys get a coded error everywhere.',
    ],
  ]),
  ...group('CL-3', 'error codes', [
    ['003 3.3, 3.5', 'SCOPE_VIOLATION names the two agents and the allowed ones.'],
    ['003 3.3, 3.5', 'LOCK_TIMEOUT names the file and how long was waited.'],
    ['003 3.3, 3.5', 'MAX_ROUNDS_EXCEEDED names the clarification and its limit and says that it was escalated.'],
    ['003 3.3, 3.5', 'NOT_FOUND names the clarification that is not in its ledger.'],
    ['003 3.3', 'AGENT_ERROR tells that the target failed and why.'],
    ['contract 5, 8', 'With --json an error is {"error": {code, message, details}} on stderr.'],
    ['contract 8', 'One table maps each code to its exit code and HTTP status, and no code is missing from it.'],
  ]),
  ...group('CL-4', 'failing target', [
    [
      '000 4.2 fallback, 6 6b; contract 2',
      'A target that fails is started once more after the configured wait, 30 seconds by default.',
    ],
    ['000 4.2 fallback, 4.3 error handling, 6 6b; 003 11', 'A second failure escalates with AGENT_ERROR.'],
    ['003 11 LLM fails', 'The requester is not lost with its target: it goes on once the escalation is decided.'],
    [
      'contract 2; 000 4.2 actionable',
      'An error, an empty answer, an over-long answer and a timeout all count as failure.',
    ],
    ['000 8 scope creep', 'The answering agent is told to be specific and brief, one or two paragraphs.'],
  ]),
  ...group('CL-5', 'compaction of threads', [
    [
      '000 11 Q3, 8 context bloat; 003 11',
      'A resolved thread enters later briefs as a summary of one or two sentences.',
    ],
    [
      '000 4.2 token budget; 003 11',
      'The clarifications in a brief stay within a token budget; older ones are compacted first.',
    ],
    ['000 11 Q3', 'The ledger keeps the whole thread after it is summarised.'],
  ]),
  ...group('CL-6', 'parallel steps', [
    ['000 11 Q4', 'Each of several parallel steps may ask the upstream agent on its own.'],
    ['000 11 Q4; contract 1', 'A step that asks a parallel sibling is refused, even where can_clarify names it.'],
  ]),
  ...group('CL-7', 'structured logs', [
    [
      '003 12.3 operations',
      'Every operation is logged with clarificationId, issueNumber, fromAgent, toAgent, round and status.',
    ],
    ['003 12.3 locks', 'Taking and releasing a lock is logged with filePath, agent and durationMs.'],
    ['003 12.3 monitor', 'Every sweep is logged with staleCount, stuckCount and deadlockedCount.'],
    ['003 12.3 escalation', 'An escalation is logged with its whole summary.'],
    [
      '000 4.3 error handling',
      'A lock that could not be had and a target that failed are logged before anything else is tried.',
    ],
  ]),
];
