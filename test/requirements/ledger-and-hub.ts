import { group, type Requirement } from './group.js';

/** US-1 to US-3: the ledger and its locks, the hub, agent statuses. */
export const ledgerAndHub: readonly Requirement[] = [
  ...group('US-1.1', 'ledger schema', [
    [
      '000 4.1 P0.1, 12 parity',
      'Each issue keeps its clarifications in its own file, .agentx/state/clarifications/issue-{N}.json.',
    ],
    [
      '000 4.1 P0.1, 5 US-1.1; 003 4.2',
      'A record has id, from, to, topic, blocking, status, round, maxRounds, created, staleAfter, resolvedAt, thread.',
    ],
    [
      '000 4.1 P0.1; 003 4.2',
      'The status is pending, answered, resolved, stale, escalated or abandoned; any other value is refused.',
    ],
    [
      '000 4.1 P0.1, 5 US-1.1; 003 4.2',
      'A thread entry is a question, answer, resolution or escalation with round, from, body and timestamp.',
    ],
    ['003 4.1, 4.2', 'Ids read CLR-{issue}-{seq}, the sequence padded to three digits and allowed to grow past 999.'],
    ['003 4.2', 'The round of a new record is 1 and resolvedAt stays null until it is resolved.'],
    [
      '000 12 ledger schema',
      'A ledger copied literally from the seed loads, and a round trip through the store changes none of its fields.',
    ],
    [
      '000 4.1 P0.1, 3 user criteria; 003 8.3 Local Mode parity',
      'The ledger is the same file with the same content in local and in GitHub mode.',
    ],
    [
      '000 12 parity audit trail',
      'The whole conversation, with who wrote what and when, can be read back from the ledger afterwards.',
    ],
    ['000 4.3 scalability; 003 7.2', 'Work on one issue neither waits for nor locks the ledger of another issue.'],
    ['000 4.3 history; 003 7.2', 'A thread cannot grow beyond what its round limit admits.'],
    ['000 4.3 performance; 003 7.1', 'Reading a ledger takes less than 100 ms.'],
    ['000 4.3 performance; 003 7.1', 'Writing a ledger takes less than 100 ms.'],
    ['003 2.5', 'A ledger gives out its active records and any one record by id.'],
    [
      'contract 1',
      'A ledger that does not parse is CORRUPT_FILE with path and reason, never overwritten; other ledgers go on.',
    ],
    ['contract 1', 'An edit made to a ledger by another program is seen by the next command.'],
    [
      'contract 2',
      'Issue 0 holds the clarifications that belong to no issue; a negative or fractional number is refused.',
    ],
  ]),
  ...group('US-1.2', 'locks', [
    [
      '000 4.1 P0.4; 003 8.3 Lock acquire/release',
      'Every write to a state file happens while a .lock file beside it is held, and the lock is gone afterwards.',
    ],
    [
      '000 4.1 P0.4, 5 US-1.2',
      'Of several claimants that see no lock, exactly one gets it, because it is created exclusively.',
    ],
    [
      '000 4.1 P0.4, 4.3 recovery; 003 8.3 Stale lock cleanup',
      "A literal participant's lock that is older than 30 seconds is removed and the waiter proceeds.",
    ],
    [
      '000 4.1 P0.4, 5 US-1.2; 003 7.3',
      'A waiter tries again with growing pauses instead of failing at the first refusal.',
    ],
    ['000 4.1 P0.4; 003 8.3 Lock timeout', 'A waiter that never gets its turn fails with LOCK_TIMEOUT.'],
    [
      '000 4.1 P0.4, 5 US-1.2',
      'JsonFileLock.withLock() runs a function under the lock and releases it also when the function throws.',
    ],
    [
      '000 4.1 P0.4; 001 5.1 same process',
      'AsyncMutex lets asynchronous operations on one file through one at a time, in order of arrival.',
    ],
    [
      '000 4.1 P0.4 PowerShell; 001 5.1 cross-platform',
      "A program in another language that follows the seed's lock literally takes turns with ours and loses nothing.",
    ],
    [
      '000 12 lock file; 003 4.4',
      "The lock's content is JSON with pid, timestamp and agent, never seen empty or half written.",
    ],
    ['001 5.1 cross-process; 001 7', 'Two processes never write the same file at the same time.'],
    [
      '000 9 launch; 003 1; 003 8.3 Concurrent writers',
      'Three and more processes that write one ledger at once lose no update and corrupt nothing.',
    ],
    ['001 5.1 stale recovery; 000 8', "The lock of a killed process is taken over without anybody's help."],
    ['003 9.5 lock defaults', 'STALE_LOCK_THRESHOLD_MS is 30000.'],
    ['003 9.5 lock defaults', 'MAX_LOCK_RETRIES is 5: a waiter looks at least five times before it gives up.'],
    ['003 9.5 lock defaults', 'BASE_LOCK_DELAY_MS is 200: no pause before a retry starts out longer than that.'],
    ['003 9.5 lock defaults', 'MAX_LOCK_WAIT_MS is 5000: after that much waiting the attempt ends.'],
    ['000 4.3 performance; 003 7.1', 'An uncontended lock is acquired, used and released in less than a second.'],
    ['003 7.1', 'Waiting for a lock ends within five seconds and a small margin, whatever the contention.'],
    ['003 7.1', 'Judging whether a lock is stale takes less than 50 ms.'],
    [
      '003 2.6',
      'JsonFileLock offers acquire, release and withLock; FileLockManager.withSafeLock adds the in-process mutex.',
    ],
    ['000 4.3 concurrent agents', 'Several editor windows and terminal sessions work on one folder side by side.'],
    ['003 3.5 LOCK_TIMEOUT', "The timeout's message names the file, the holder, its pid and the age of the lock."],
    ['contract 1; reliability 8', 'A reader takes no lock and never sees half a file, not even beside a busy writer.'],
    [
      'reliability 4',
      'A live holder on the same host keeps its lock however slow it is, paused for over 30 seconds included.',
    ],
    ['reliability 5', 'A stale lock has exactly one heir: a thousand races of several waiters never give two holders.'],
    [
      'reliability 6',
      "A holder that lost its lock fails with LOCK_LOST, writes nothing and releases nobody else's lock.",
    ],
    [
      'reliability faults',
      'Writers killed at random instants leave every acknowledged update in place and no unparsable file.',
    ],
    [
      'reliability faults',
      'An empty lock, a lock dated in the future and a reused pid neither block for ever nor give two holders.',
    ],
    [
      'reliability faults',
      'On a full disk or in a read-only folder a write fails with an error and the old content stays.',
    ],
  ]),
  ...group('US-1.3', 'lock files never committed', [
    ['000 4.1 P0.4, 5 US-1.3; 003 9.2', 'init writes a .gitignore that covers *.lock under .agentx/state/.'],
    ['000 5 US-1.3', 'git add of everything, while locks are held, stages no lock file.'],
    [
      'contract 1',
      'State, corrupt copies and derived files are ignored; issues, workflows, agents, config and memory are not.',
    ],
  ]),
  ...group('US-2.1', 'asking through the hub', [
    [
      '000 4.1 P0.2; 000 10; 001 1',
      'Only the hub starts a target: an agent has no way to reach another agent around it.',
    ],
    [
      '000 4.1 P0.2, 4.3 scope guard, 5 US-2.1; 001 7',
      "An ask is routed only to agents in the can_clarify list of the requester's step.",
    ],
    ['003 6.1 no can_clarify', 'A step without can_clarify may ask nobody: SCOPE_VIOLATION.'],
    [
      '003 6.1 target not listed; 003 8.3 Scope validation',
      'A target that is not in the list is refused with SCOPE_VIOLATION and leaves no record and starts no agent.',
    ],
    ['003 6.1 allow', 'An ask whose step, target and round pass all checks reaches the target.'],
    [
      '000 4.1 P0.2, 5 US-2.1, 6 step 6',
      'The target gets the question, the topic, the upstream artifacts and the issue in its brief.',
    ],
    [
      '000 5 US-2.1, 6 steps 2 and 4',
      'The request is in the ledger as pending, with topic, question and blocking flag, before the target starts.',
    ],
    ['000 6 step 4; contract 2', 'No lock is held while the target is at work.'],
    ['000 6 step 5', 'A blocking ask turns the requester blocked-clarification.'],
    ['000 6 step 7', 'The target turns clarifying while it composes its answer.'],
    [
      '000 6 6d; contract 2',
      'A refused ask is logged as a warning and the agent goes on; its next brief lists the refusal.',
    ],
    [
      '000 6 6c; contract 2',
      'An ask that cannot get the lock is logged, reported as LOCK_TIMEOUT and leaves nothing half done.',
    ],
    ['003 3.3', "requestClarification gives back the clarification's id and status."],
    [
      '000 10 multi-party',
      'A clarification has exactly one requester and one target; a third agent can neither ask nor answer in it.',
    ],
    [
      'contract 2',
      "The running step scopes an ask, else the workflow's first step with that agent; none is SCOPE_VIOLATION.",
    ],
    [
      'contract 2; 000 8 latency',
      'A requester that asks without blocking goes on at once and finds the answer in a later brief.',
    ],
    ['contract 2', "With AGENTX_AGENT set, asking in another agent's name is UNAUTHORIZED."],
  ]),
  ...group('US-2.2', 'answer, follow-up, resolve', [
    ['000 5 US-2.2, 6 step 9', 'The answer is written to the ledger in the round of its question.'],
    ['000 4.1 P0.2, 5 US-2.2, 6 step 13', 'The requester finds the answer in its context and goes on with it.'],
    ['000 5 US-2.2, 6 step 10; contract 2', 'A follow-up opens the next round and raises the counter by one.'],
    ['000 5 US-2.2', 'A thread answered once and accepted passes through pending, answered and resolved.'],
    ['001 6.1 start', 'A new request is pending.'],
    ['001 6.1 pending to answered', "The target's answer turns a pending record answered."],
    ['001 6.1 answered to pending', "The requester's follow-up turns an answered record pending again."],
    [
      '001 6.1 answered to resolved; 000 6 step 11',
      'A satisfied requester turns an answered record resolved, with a resolution entry and resolvedAt.',
    ],
    ['001 6.1 pending to stale', 'The end of the SLA turns a pending record stale.'],
    ['001 6.1 stale to pending', 'A retry that succeeds turns a stale record pending and then answered.'],
    ['001 6.1 stale to escalated', 'A second timeout, or being stuck, turns a stale record escalated.'],
    [
      '001 6.1 pending to escalated',
      'A pending record turns escalated when its rounds are used up or its target fails for good.',
    ],
    ['001 6.1 answered to escalated', 'A follow-up beyond the last round turns an answered record escalated.'],
    ['001 6.1 escalated to resolved', "A human's decision turns an escalated record resolved."],
    ['001 6.1 pending to abandoned', 'A requester that moved on turns its pending record abandoned.'],
    ['001 6.1 resolved end', 'A resolved record takes no further event.'],
    ['001 6.1 abandoned end', 'An abandoned record takes no further event.'],
    ['contract 2', 'Every pair of status and event outside the table is INVALID_STATE and changes nothing.'],
    ['000 6 step 12', 'Resolving returns both agents to the status they had before.'],
    [
      '003 3.3',
      'answerClarification gives back round and status, resolveClarification gives back the status resolved.',
    ],
    [
      '000 4.3 performance; 003 7.1',
      "A round, question to answer, adds little to the target's own time and stays below 15 seconds.",
    ],
    ['000 4.2 latency', 'With a model that answers at once, a round is over in less than 10 seconds.'],
    ['000 4.2 cost', 'A round starts the target once; no other agent is started for it.'],
    ['000 3 user criteria', 'An agent asks and is answered within one and the same run.'],
    [
      '000 9 launch; 003 8.3 Full flow (happy path)',
      'Ask, route, answer and resolve work end to end from the command line in local mode.',
    ],
    ['003 8.3 Local Mode parity', 'The same flow needs no network, no server and no account in local mode.'],
    [
      'contract 2',
      'Only requester or human follow up and resolve, only target or human answer; others are UNAUTHORIZED.',
    ],
    [
      'contract 3',
      'An answered clarification that the next reply neither resolves nor follows up is resolved with "Proceeding.".',
    ],
  ]),
  ...group('US-2.3', 'round limit and escalation', [
    [
      '000 4.1 P0.3, 4.3 round limits, 5 US-2.3; 003 4.2',
      'A blocking clarification has five rounds unless the workflow says otherwise.',
    ],
    [
      '000 4.1 P0.3, 4.3 round limits, 5 US-2.3; 003 4.2',
      'A non-blocking clarification has six rounds unless the workflow says otherwise.',
    ],
    ['000 4.1 P0.3', 'clarify_max_rounds changes the limit for both kinds.'],
    [
      '000 4.1 P0.3, 5 US-2.3; 003 8.3 Round limit enforcement',
      'A follow-up after the last round is not routed: the record turns escalated by itself.',
    ],
    ['003 6.1 round beyond limit; 003 3.5', 'The asker of that follow-up is told MAX_ROUNDS_EXCEEDED.'],
    ['000 4.1 P0.3, 5 US-2.3', 'The escalation entry summarises the topic.'],
    ['000 4.1 P0.3, 5 US-2.3', 'The escalation entry holds the last word of both agents as their positions.'],
    [
      '000 4.1 P0.3; contract 2',
      "The escalation offers options made of this thread's own positions, never generic text.",
    ],
    ['000 4.1 P0.3, 5 US-2.3, 6 6a', 'The escalation is shown in the chat stream and on the terminal.'],
    ['000 6 6a', "The requester's work pauses until a human has decided."],
    [
      '000 9 launch; 003 8.3 Full flow (escalation)',
      "Five rounds, the automatic escalation and the human's resolution work end to end.",
    ],
    ['000 8 loops; 001 7', 'Two agents that keep asking each other stop at the hard limit, whatever they say.'],
    ['003 3.3', 'escalateClarification gives back the status escalated.'],
    [
      '000 3 user criteria; contract 2',
      'An escalation opens a human question of kind escalation, and its answer resolves the record.',
    ],
    [
      'contract 2',
      "An escalation's question has an id derived from record and round: a crash or repeat opens no second one.",
    ],
    [
      'contract 2',
      'A declined or dismissed escalation resolves the record with that outcome and the agent records an assumption.',
    ],
  ]),
  ...group('US-3.1', 'agent statuses', [
    [
      '000 4.1 P0.5, 5 US-3.1; 003 4.3',
      'agent-status.json knows clarifying and blocked-clarification beside idle, working, done and stuck.',
    ],
    ['000 4.1 P0.5, 5 US-3.1; 003 4.3', 'A clarifying entry names the clarification and, in respondingTo, who asked.'],
    ['000 4.1 P0.5, 5 US-3.1; 003 4.3', 'A blocked entry names the clarification and, in waitingOn, who is to answer.'],
    ['003 4.3', 'An entry holds issue and lastActivity; the three clarification fields are null in other statuses.'],
    ['000 4.1 P0.5, 5 US-3.1; 003 12.4', "agentx state prints every agent's status, the two new ones included."],
    ['000 4.1 P0.5, 5 US-3.1', 'The agent tree in the editor shows the two statuses with icons of their own.'],
    ['001 6.2 start', 'An agent nobody has used is idle.'],
    ['001 6.2 idle to working', 'An agent that is given an issue turns working.'],
    ['001 6.2 working to clarifying', 'A working agent that is asked turns clarifying.'],
    ['001 6.2 clarifying to working', 'Handing in the answer turns it working again.'],
    ['001 6.2 working to blocked', 'A working agent that waits for an answer turns blocked-clarification.'],
    ['001 6.2 blocked to working, answer', 'The answer turns a blocked agent working again.'],
    [
      '001 6.2 blocked to working, escalated',
      "A human's decision on the escalation turns a blocked agent working again.",
    ],
    ['001 6.2 working to done', 'Finished work turns the agent done.'],
    ['001 6.2 working to stuck', 'A failure turns the agent stuck.'],
    ['001 6.2 stuck to working', 'A retry turns a stuck agent working.'],
    ['001 6.2 done end', 'A done agent stays done until it is given new work or set by hand.'],
    ['contract 2', 'clarifying and blocked-clarification can be entered from any status and return to the one before.'],
    [
      'contract 1, 2',
      'One agent at work on two issues keeps a separate entry per issue, and neither overwrites the other.',
    ],
    [
      'contract 2',
      "agentx state set takes idle, working, done and stuck from any status and refuses the hub's own two.",
    ],
    ['000 12 parity status; 003 8.3 Local Mode parity', 'Statuses are kept in the same file in both modes.'],
  ]),
  ...group('US-3.2', 'blocked issues in the ready queue', [
    [
      '000 5 US-3.2; 003 12.4',
      'agentx ready prints "BLOCKED: Clarification CLR-N-NNN pending from <agent>" for an issue that waits.',
    ],
    ['000 4.1 P1.6, 5 US-6.3', 'The ready queue in the editor marks such an issue as blocked.'],
    ['000 12 parity ready queue', 'The ready queue shows the same in both modes.'],
    [
      'contract 5',
      'agentx ready --json separates ready issues from blocked ones and gives the reason and the id that blocks.',
    ],
    ['000 4.1 P1.6', 'An issue leaves the blocked list as soon as its clarification is answered, resolved or decided.'],
    ['contract 1', 'Issues blocked by other open issues are not ready; ready ones come in order of priority.'],
  ]),
];
