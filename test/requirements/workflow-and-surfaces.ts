import { group, type Requirement } from './group.js';

/** US-6 and US-7: workflows, the agentic loop, events, digest, GitHub, chat. */
export const workflowAndSurfaces: readonly Requirement[] = [
  ...group('US-6.1', 'workflow TOML', [
    ['000 4.1 P1.4, 5 US-6.1; 003 4.5', 'can_clarify on a step is an array of agent names.'],
    ['000 4.1 P1.4, 5 US-6.1; 003 4.5', 'clarify_max_rounds on a step is an integer.'],
    ['000 4.1 P1.4, 5 US-6.1; 003 4.5', 'clarify_sla_minutes on a step is an integer.'],
    [
      '000 4.1 P1.4, 5 US-6.1; 003 4.5',
      'clarify_blocking_allowed on a step is a boolean; false keeps its asks from blocking.',
    ],
    [
      '000 4.1 P1.4, 5 US-6.1',
      'A wrong type, an unknown key or an unknown agent is an error that names file, line, key and what is allowed.',
    ],
    ['003 9.5 TOML defaults', 'Without can_clarify a step may ask nobody.'],
    ['003 9.5 TOML defaults; contract 1', 'Without clarify_max_rounds the limit is 5 blocking and 6 non-blocking.'],
    ['003 9.5 TOML defaults', 'Without clarify_sla_minutes the SLA is 30 minutes.'],
    ['003 9.5 TOML defaults', 'Without clarify_blocking_allowed a step may block.'],
    ['003 8.3 TOML parsing; 003 11', 'A workflow without the four fields loads as before, with the defaults.'],
    ['000 12 TOML example', "The step of the seed's example loads with all its fields."],
    ['003 9.1, 9.2', 'The feature, story, bug and epic workflows that init writes declare can_clarify.'],
    ['contract 1', 'A cycle in needs or a step that does not exist is an error at load, with the line.'],
    ['contract 1', "A later step's agent in can_clarify is allowed with a warning."],
    [
      'contract 1',
      'condition decides by label whether a step runs, and an optional step that fails does not stop the run.',
    ],
    ['contract 1', 'An iterating step goes round until done; at max_iterations an agent_failed question opens.'],
    [
      'contract 1',
      'status_on_start and status_on_complete move the issue on the board; output and title fill their placeholders.',
    ],
  ]),
  ...group('US-6.2', 'agentic loop', [
    ['000 4.1 P1.5, 5 US-6.2', 'The loop takes canClarify, clarifyMaxRounds and an onClarificationNeeded callback.'],
    ['000 4.1 P1.5, 5 US-6.2', 'A reply that signals ambiguity pauses the loop.'],
    ['000 5 US-6.2', 'The clarification of a paused loop goes through the hub with all its guards.'],
    ['000 4.1 P1.5, 5 US-6.2', 'The answer enters the conversation and the loop goes on from where it was.'],
    ['000 4.1 P1.5, 5 US-6.2', 'An escalation ends the loop with a final text that summarises it.'],
    ['000 11 Q1', 'An agent asks explicitly, by the request_clarification tool.'],
    ['000 11 Q1', "An agent's reply that asks without the tool, in its own output, is understood as well."],
    ['000 11 Q2', 'The SLA is 30 minutes for every pair of agents unless a step says otherwise.'],
    [
      '000 4.2 relevance; 000 8 false positives',
      'An agent whose artifacts are clear asks nothing, and one that may skip a question is not held up.',
    ],
    [
      '000 4.2 provider',
      "OpenAI, Anthropic and any compatible endpoint serve as the model, and so does an agent's own CLI.",
    ],
    ['000 4.2 inference pattern', 'The model has tools to read artifacts before it asks or answers.'],
    ['001 4.2', 'A loop configured without the clarification fields works as before.'],
    [
      'contract 1, 3',
      'A paused run is on disk and resumes after a restart of the machine, with the answers in its next brief.',
    ],
    [
      'contract 3',
      'A command runner gets a JSON brief on stdin and answers in text or JSON; a non-zero exit is a failure.',
    ],
    ['contract 3', 'A runner that passes its timeout is killed together with its children.'],
    ['contract 3', 'An artifact path outside the repository, in .git or in .agentx, through symlinks too, is refused.'],
    ['contract 3', 'A rejected review sends the work back to the step it needs, at most max_iterations times.'],
    [
      'contract 1',
      'Commands in a config this user has not approved are refused with UNAUTHORIZED until agentx trust records them.',
    ],
  ]),
  ...group('US-6.3', 'typed events', [
    ['000 4.1 P1.6, 5 US-6.3; 003 12.2', 'clarification-requested fires when an agent asks.'],
    ['000 4.1 P1.6, 5 US-6.3; 003 12.2', 'clarification-answered fires when the target answers.'],
    ['000 4.1 P1.6, 5 US-6.3; 003 12.2', 'clarification-stale fires when a sweep finds the SLA over.'],
    ['000 4.1 P1.6, 5 US-6.3; 003 12.2', 'clarification-resolved fires when the requester or a human resolves.'],
    ['000 4.1 P1.6, 5 US-6.3; 003 12.2', 'clarification-escalated fires on automatic and on manual escalation.'],
    [
      '000 4.1 P1.6, 5 US-6.3; 003 8.3 EventBus events',
      'Payloads hold clarificationId, issueNumber, fromAgent, toAgent, topic, blocking and timestamp.',
    ],
    ['000 4.1 P1.6, 5 US-6.3; 003 12.2', 'The agent tree refreshes when one of these events fires.'],
    ['000 5 US-6.3; 003 12.2', 'The ready queue refreshes on stale and escalated and shows its badge.'],
    [
      '003 11 event storms',
      'The bus keeps at most 200 events of history, and a listener that throws stops no other listener.',
    ],
    ['001 4.2', 'Events that existed before keep their names and payloads.'],
    ['contract 2', 'Timestamps of events are epoch milliseconds, and clarification-abandoned is fired too.'],
  ]),
  ...group('US-7.1', 'digest', [
    [
      '000 4.1 P2.1, 5 US-7.1; 003 12.1',
      'The weekly digest gives the number of clarifications, resolved ones and escalated ones.',
    ],
    [
      '000 4.1 P2.1, 5 US-7.1, 3 KPI; 003 12.1',
      'The digest gives the average rounds per resolution against a target of two to three.',
    ],
    ['000 4.1 P2.1, 5 US-7.1', 'The digest lists the most common topics.'],
    ['000 4.1 P2.1', 'The digest names the agents that ask most.'],
    [
      '000 3 KPI; 003 1, 12.1',
      'The digest gives the share resolved without a human against a target above 80 percent.',
    ],
    ['000 3 KPI; 003 12.1', 'The digest gives the share escalated against a target below 20 percent.'],
    [
      '000 3 KPI; 003 1',
      'The digest gives the share of reviews rejected for misunderstanding against a target below 15 percent.',
    ],
    ['000 3 KPI', 'The digest gives rework cycles per issue against a target below 1.5.'],
    ['003 12.1', 'The digest gives the count of stale clarifications against a target of none.'],
    ['003 12.1', 'The digest gives the count of deadlocks against a target of none.'],
    [
      'contract 1, 5',
      'The digest of a week is written to DIGEST-YYYY-Wnn.md and is JSON with week, totals, rates, topics and agents.',
    ],
    [
      '003 12.1; contract 6',
      'The metrics route gives total, auto-resolution, escalation, rounds, stale and deadlock figures.',
    ],
  ]),
  ...group('US-7.2', 'GitHub mode', [
    [
      '000 4.1 P0.1, P2.2, 5 US-7.2, 12 parity; 003 8.3 GitHub Mode sync',
      'In GitHub mode each round becomes one structured comment on the issue.',
    ],
    [
      '000 4.1 P2.2, 5 US-7.2',
      'clarification:active is put on with the first open clarification and taken off with the last.',
    ],
    [
      '000 4.1 P2.2, 5 US-7.2',
      'clarification:stale is put on while a clarification is stale and taken off afterwards.',
    ],
    ['000 4.1 P2.2, 5 US-7.2, 12 parity escalation', "An escalation's comment mentions the configured people."],
    ['000 9 launch; 003 1', 'A clarification works end to end in GitHub mode.'],
    ['000 12 parity CLI', 'Every command works in GitHub mode as it does in local mode.'],
    ['000 12 parity detection', 'Stale, stuck and deadlocked clarifications are found in GitHub mode in the same way.'],
    ['000 12 parity locking', 'State files are locked in GitHub mode in the same way.'],
    ['contract 9', "Mentions and markup in agents' text are defused in comments."],
    ['contract 2', 'A repeated or interrupted mirror posts no round twice, and GitHub being away stops no local work.'],
  ]),
  ...group('US-7.3', 'slash command', [
    ['000 4.1 P2.3, 5 US-7.3; 003 3.2', '@agentx /clarify lists the active clarifications.'],
    ['000 4.1 P2.3, 5 US-7.3; 003 3.2', '@agentx /clarify #42 shows the threads of that issue.'],
    ['000 4.1 P2.3, 5 US-7.3', 'The follow-up provider offers fitting clarification actions after a command.'],
    ['000 9 launch', 'The extension builds and its tests pass.'],
    ['001 4.2', 'The other slash commands work as before.'],
  ]),
];
