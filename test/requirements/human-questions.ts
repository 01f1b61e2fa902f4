import { group, type Requirement } from './group.js';

/** PM and OQ: what a planning agent may ask, and how every question reaches a human and comes back. */
export const humanQuestions: readonly Requirement[] = [
  ...group('PM-1', 'three tiers', [
    ['002 tier 1', 'With --clarify-first, ambiguities are asked about before the first step of a run starts.'],
    ['002 tier 1', 'Without --clarify-first no question is asked before the run.'],
    ['002 tier 2', 'A planning agent may ask in the middle of planning, and only past the gate.'],
    ['002 tier 2; non-goals', 'A planning request is one question with its options, answered once: no back and forth.'],
    ['002 tier 3', 'Whatever a planning agent inferred or assumed is recorded without blocking anything.'],
    ['002 tier 3', 'The user can look through the assumptions at review or completion and confirm or reject each.'],
  ]),
  ...group('PM-2', 'the four conditions', [
    ['002 condition 1', 'A request whose blocker type is none of the three is refused with that reason.'],
    ['002 condition 1A', 'Mutually exclusive requirements are a blocker.'],
    ['002 condition 1B', 'Missing external data is a blocker.'],
    ['002 condition 1C', 'A security or legal decision is a blocker.'],
    ['002 condition 2 search', 'Without evidence of a codebase search the request is refused.'],
    [
      '002 condition 2 infrastructure',
      'Without evidence of similar features and existing infrastructure the request is refused.',
    ],
    ['002 condition 2 inference', 'Without evidence of an attempted inference the request is refused.'],
    [
      '002 condition 2 investigator',
      'On an issue marked complex, a request without investigator findings is refused; on others they are optional.',
    ],
    ['002 condition 3 thread', 'While another request is open in the project, a second one is refused.'],
    ['002 condition 3 session', 'A second request in the same session is refused, even when the first has ended.'],
    ['002 condition 4 phase', 'A request outside the planning phase is refused.'],
    [
      '002 condition 4 mid-execution',
      'After the first engineer or coder step has started, the agent decides and records an assumption instead.',
    ],
    ['contract 4', 'A refusal is GATE_REFUSED and lists every condition that failed, not only the first.'],
    ['contract 4', 'Placeholders are no evidence, and a cited path must exist.'],
    ['contract 4', "A project manager's open_questions and ask_human pass the same gate."],
    [
      '002 trade-offs',
      'Routine decisions, such as technical details, frameworks and parallelism, do not pass the gate.',
    ],
  ]),
  ...group('PM-3', 'request format', [
    ['002 format header', `The heading "PM Status: NEEDS_CLARIFICATION" marks a request in an agent's text.`],
    ['002 format Blocker Type', 'The blocker type is read from the request and is one of the three.'],
    ['002 format Evidence', "The four lines of evidence are read, the investigator's being optional."],
    ['002 format Question', 'Exactly one specific question is read; an empty one is refused.'],
    [
      '002 format Options',
      'At least two lettered options are read, a third where there is one; a request without options is refused.',
    ],
    [
      '002 format Safe Fallback',
      "The fallback's option and reasoning are read; a request without a fallback is refused.",
    ],
    ['002 format Safe Fallback', 'A fallback that names none of the options is refused.'],
    ['002 format Status', 'The closing status line AWAITING_CLARIFICATION is accepted and written.'],
    ['002 format', 'A request written by us and read again is the same request.'],
    ['002 examples 1 and 3', "The requests of the seed's examples, wrapped lines included, are read whole."],
    ['contract 3', 'The same request is taken as JSON with blocker_type, evidence, question, options and fallback.'],
  ]),
  ...group('PM-4', 'timeout and fallback', [
    ['002 format timeout; handling 4', 'A request that nobody answers within five minutes proceeds with its fallback.'],
    ['002 handling 1', 'A request that passes the gate is logged with its session, its type and the status pending.'],
    ['002 handling 2', "The session's state turns clarification_pending true and phase awaiting_clarification."],
    ['002 handling 3', 'The user sees the whole request and the time after which the fallback applies.'],
    ['002 handling 4', 'An answer within the time is logged and the agent is started again with it.'],
    ['002 handling 4', 'At the timeout that is logged and the agent is started again with the fallback.'],
    ['002 handling 5', 'The restarted agent plans with the answer, which is recorded as an assumption.'],
    ['002 handling 6', 'Afterwards clarification_pending is false, phase is planning_complete and the run goes on.'],
    ['002 principles 5', 'A planning request never blocks for ever: with nobody there, the run still ends.'],
    ['contract 1', 'fallback_minutes changes the five minutes, fractions included.'],
    ['contract 4', 'At expiry the fallback is applied exactly once, however many processes look.'],
  ]),
  ...group('PM-5', 'assumptions', [
    ['002 assumption decision', 'An assumption says what was decided.'],
    ['002 assumption blocker_type', 'It has a blocker_type: none or one of the three kinds.'],
    [
      '002 assumption user_response',
      'It says where the answer came from: inferred, confirmed by the user, or timeout_assumed.',
    ],
    ['002 assumption reasoning', 'It gives the reasoning.'],
    ['002 assumption confidence', 'Its confidence is high, medium or low.'],
    ['002 assumption risk_if_wrong', 'It says what happens if it is wrong.'],
    [
      '002 assumptions, inferred',
      'A decision inferred without asking is recorded as inferred_from_... with blocker_type none.',
    ],
    [
      '002 assumptions, confirmed',
      'An answered request is recorded as "User confirmed option (x): ..." with high confidence.',
    ],
    [
      '002 assumptions, timeout',
      "A timed-out request is recorded as timeout_assumed with the fallback's reasoning and risk.",
    ],
    ['002 benefits', 'The assumptions of an issue can be listed, before execution too.'],
    ['contract 4', 'An assumption has an id ASM-{issue}-{seq}, issueNumber, agent, artifacts, status and createdAt.'],
    [
      'contract 5',
      'agentx assumptions confirm and reject change the status of one assumption, and reject keeps the reason.',
    ],
  ]),
  ...group('PM-6', 'late answers', [
    ['002 why 5 minutes', 'An answer after the timeout is accepted and recorded, not lost.'],
    ['002 why fallback', 'A user who answers late can correct what was assumed, while the work had gone on.'],
  ]),
  ...group('PM-7', 'state and interaction log', [
    [
      '002 schema orchestrator_state',
      'orchestrator.json holds clarification_pending, clarification_requested_at and phase for each session.',
    ],
    ['002 schema pm_state', 'assumptions_made is an array of records with the six fields and their allowed values.'],
    [
      '002 schema agent_interactions',
      'interactions.ndjson holds request_type, status, content, user_response and resolved_at.',
    ],
    ['002 schema agent_interactions', 'The status of an interaction is pending, resolved or timeout.'],
    ['002 principles 4', 'The state survives a restart: a pending request is still pending and its clock has gone on.'],
  ]),
  ...group('PM-8', 'test cases and scenarios of 002', [
    ['002 Test Cases 1', 'Normal flow: clear requirements bring no request and the run proceeds.'],
    ['002 Test Cases 2', 'With response: ambiguous requirements are asked about, answered, recorded and planned with.'],
    [
      '002 Test Cases 3',
      'With timeout: no response brings the safe fallback and an assumption marked timeout_assumed.',
    ],
    ['002 Test Cases 4', 'Invalid attempt: a technical detail is refused and the agent decides by itself.'],
    ['002 Test Cases 5', 'Quota: after one request a second is refused and the agent decides by itself.'],
    [
      '002 Manual Scenarios 1',
      '"Make the API stateless and maintain user sessions" leads to a question which of the two.',
    ],
    [
      '002 Manual Scenarios 2',
      '"Connect to the production database" leads to a question or, unanswered, to the test database.',
    ],
    ['002 Manual Scenarios 3', '"Fix the failing tests" leads to no question.'],
    ['002 appendix', 'The Stripe example runs through all its steps from request to continued workflow.'],
  ]),
  ...group('OQ-1', 'open questions in agent output', [
    ['004 format', "Questions are taken from open_questions in an agent's output."],
    ['004 field names', 'openQuestions is taken in the same way.'],
    ['004 shape id', 'A question without id gets one.'],
    ['004 shape text', 'A question without text is refused, and the error names it.'],
    ['004 shape createdAt', 'A question without createdAt gets the present time in ISO 8601.'],
    ['contract 4', 'A bare string and the shape {question, header, options, multiSelect} are questions too.'],
    ['contract 9', 'More than 20 questions in a reply, or 12 options in a question, are refused.'],
  ]),
  ...group('OQ-2', 'sources', [
    ['004 table Analyst', "A question of the analyst has the source eval and the feedback's id as sourceId."],
    ['004 table Dreamer', "A question of the dreamer has the source prd and the section's key as sourceId."],
    ['004 table Planner', "A question of the planner has the source plan and the plan's id as sourceId."],
    ['004 table Coder', "A question of the coder has the source execute and the task's id as sourceId."],
    ['contract 3', "The source in an agent's reply, where given, sets the sourceId."],
  ]),
  ...group('OQ-3', 'fail early', [
    [
      '004 fail early Analyst',
      "While the analyst's questions about vague feedback are open, the tasks it proposed are not created.",
    ],
    ['004 fail early Dreamer', "The dreamer's document is not updated while its questions are open."],
    ['004 fail early Planner', "The planner's plan is not decomposed while its questions are open."],
    ['004 fail early Coder', 'A coder with an ambiguous task pauses with its questions instead of guessing.'],
    ['004 fail early', 'After the answers the held-back work goes on with them.'],
  ]),
  ...group('OQ-4', 'notifications and REST', [
    ['004 integration 1', 'Open questions become one stored notification that survives a restart.'],
    [
      '004 user answers 2; contract 6',
      'PATCH /projects/:p/notifications/:id with responses and revision resolves a notification.',
    ],
    ['contract 6', 'GET lists open, resolved or all notifications page by page, and gives one by id.'],
    ['contract 6', 'POST creates a notification with the same checks as agent output.'],
    [
      'contract 6',
      'Bad input is 400, no token 401, wrong host or origin 403, unknown 404, lost race 409, too large 413, many 429.',
    ],
    [
      'contract 6',
      'The server listens on loopback with a token; a foreign Host, a foreign Origin and a query token are refused.',
    ],
    ['contract 6', '/api/v1/openapi.json describes the routes that exist, and /healthz answers without a token.'],
  ]),
  ...group('OQ-5', 'WebSocket', [
    [
      '004 integration 2; coder returns 2',
      "notification.added goes to the project's clients with the whole notification.",
    ],
    [
      '004 integration 3; user answers 4',
      "notification.resolved goes to the project's clients with ids, source and outcome.",
    ],
    ['004 user answers 4', "task.updated goes to the project's clients when a task is blocked or unblocked."],
    ['contract 6', 'Messages carry a growing seq after a hello with the epoch.'],
    [
      'contract 6',
      'A client that comes back with since and epoch gets what it missed, or resync when that is not possible.',
    ],
  ]),
  ...group('OQ-6', 'tasks blocked and unblocked', [
    [
      '004 coder returns 1',
      "A coder that fails with questions gets a notification with source execute and the task's id.",
    ],
    ['004 coder returns 3', 'Its task is unassigned, blocked, with block_reason "Open Question".'],
    ['004 coder returns 4', 'The task is out of ready until the notification is resolved.'],
    ['004 user answers 1', "The answer joins the task's conversation."],
    ['004 user answers 3; integration 3', 'Resolving sets the task open again and its block_reason to null.'],
    ['004 user answers 5', 'The task is in ready again and the next run picks it up with the answer in its brief.'],
    ['004 execute flow', 'A coder that fails without questions does not end up with block_reason "Open Question".'],
  ]),
  ...group('OQ-7', 'autonomy', [
    ['004 hilConfig scopeChanges', 'scopeChanges is automated, notify_and_proceed or requires_approval.'],
    [
      '004 hilConfig architectureDecisions',
      'architectureDecisions is automated, notify_and_proceed or requires_approval.',
    ],
    [
      '004 hilConfig dependencyModifications',
      'dependencyModifications is automated, notify_and_proceed or requires_approval.',
    ],
    [
      '004 passed via config.json',
      "Before coder and reviewer start, the levels are in config.json of the task's folder.",
    ],
    ['004 passed via prompt', "Every agent's prompt states the levels."],
    [
      '004 mapping automated',
      'automated reads "Full autonomy: proceed without confirmation" and lets a proposal pass unasked.',
    ],
    [
      '004 mapping notify_and_proceed',
      'notify_and_proceed reads "Notify user but proceed", tells the user and holds nothing up.',
    ],
    [
      '004 mapping requires_approval',
      'requires_approval reads "Confirm all changes before proceeding" and holds a proposal until a human approves.',
    ],
    ['contract 1', 'level sets all three at once: confirm_all, major_only or full; explicit keys beat it.'],
    ['product OQ-7', 'The page shows the levels in force.'],
  ]),
  ...group('OQ-8', 'one confirmation per cycle', [
    ['004 fail early, one confirmation', 'At most one confirmation is asked per feedback cycle.'],
    ['004 fail early, no duplicates', 'A question that is open or answered in this cycle is not asked again.'],
  ]),
  ...group('OQ-9', 'trade-off options', [
    ['004 fail early, trade-offs', 'A question may have options with pros and cons, and every surface shows them.'],
    ['004 fail early, trade-offs', "The analyst's instructions prefer a trade-off question over an open one."],
    [
      'contract 4',
      'An option can be recommended, several can be chosen where multiSelect says so, free text stays possible.',
    ],
  ]),
];
