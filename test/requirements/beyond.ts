import { group, type Requirement } from './group.js';

/** X: requirements beyond the seeds. */
export const beyond: readonly Requirement[] = [
  ...group('X-1', 'outcomes and consequences', [
    [
      'contract 4',
      'A question ends as answered, declined, dismissed, fallback_applied, superseded or unreachable, and says so.',
    ],
    ['contract 4', 'An irreversible question never times out: it has no expiry and waits for a human.'],
    ['contract 4', 'A fallback on an irreversible question is refused when the question is asked.'],
    [
      'contract 4',
      'A question without a consequence is reversible, and what autonomy holds for approval is irreversible.',
    ],
  ]),
  ...group('X-2', 'any depth', [
    ['contract 4', "A question asked by an agent's subagent reaches the same inbox, with the chain of askers."],
    ['contract 4', 'The answer returns to the asker at its depth and to nobody else.'],
    [
      'contract 2',
      'A target that needs clarification itself asks further upstream, and the first asker still gets its answer.',
    ],
  ]),
  ...group('X-3', 'late-answer reconciliation', [
    [
      'contract 4',
      'An answer to a question that ended with fallback_applied is stored and opens a late_answer question.',
    ],
    ['contract 4', 'The late_answer question lists the artifacts and runs that used the assumption.'],
    [
      'contract 4',
      'Keep leaves the work and confirms or closes the assumption; rework rejects it and sends the work back.',
    ],
    ['contract 4', 'A late answer that agrees with the fallback confirms the assumption and asks for no rework.'],
  ]),
  ...group('X-4', 'draft-safe answering', [
    ['contract 6', 'A draft is kept on the server and is there after a reload and in another browser.'],
    ['contract 6', "Some of a question's parts can be answered now and the others later."],
    ['contract 4', 'The countdown stands still while the human types, for 15 minutes at most.'],
    ['page', 'A draft for a question that somebody else answered first is kept and offered as a late answer.'],
  ]),
  ...group('X-5', 'exactly-once answers', [
    [
      'contract 4; reliability peers',
      'Of several answers at once exactly one wins; the others get CONFLICT with the present state.',
    ],
    ['contract 4', 'An answer that names an old revision is CONFLICT.'],
    ['contract 4', 'An unknown question id is NOT_FOUND, and nothing is written.'],
    [
      'reliability peers',
      'An answer acknowledged before a crash is kept, the run resumes by itself, and no step runs twice for it.',
    ],
  ]),
  ...group('X-6', 'MCP', [
    [
      'contract 7',
      'agentx mcp serves all tools, resources and prompts over stdio, and the server does over streamable HTTP.',
    ],
    ['contract 7', 'A client that can elicit is asked in place.'],
    ['contract 7', 'A client that cannot elicit gets a link to the inbox and a result it can poll.'],
    ['contract 7', 'Both current protocol revisions are negotiated, and a client of either takes part.'],
    [
      'contract 7',
      'requestState is encrypted, bound to principal, tool, arguments, question and revision, expires and works once.',
    ],
    ['contract 5', 'agentx mcp install lets a client start the server, keeps all else in its files, and is undone.'],
  ]),
  ...group('X-7', 'first answer closes everywhere', [
    ['product X-7', 'The first answer closes the question in terminal, page, editor, GitHub and MCP client.'],
    ['page', 'A surface whose question was answered elsewhere says by whom and through which channel.'],
  ]),
  ...group('X-8', 'provenance', [
    ['contract 4', 'Every answer records principal and channel, the timeout included.'],
    ['contract 4', 'Every answer is bound to the revision of the question that its author saw.'],
    ['contract 2', "With AGENTX_AGENT set, human verbs are UNAUTHORIZED: an agent cannot answer in a human's place."],
    ['product X-8', 'The authority on which an answer was given can be looked up in the audit trail.'],
  ]),
  ...group('X-9', 'answer memory', [
    [
      'contract 2',
      'A question that was decided before is answered from memory, as a round from "memory" with a citation.',
    ],
    ['contract 2', 'The asker can reject that answer by a follow-up, which goes to the target.'],
    [
      'product X-9',
      'A change of the artifact section that an answer rests on invalidates it, and the question is asked anew.',
    ],
    ['memory', 'A question that only shares words with a decided one is not answered from memory.'],
  ]),
  ...group('X-10', 'wait-for graph', [
    [
      'product X-10; contract 2',
      'An ask that would close a cycle is found at the time of asking, before anybody waits.',
    ],
    ['contract 2', 'The graph covers blocking records of all issues, and agentx clarify graph shows it.'],
    ['contract 2', 'The cycle found when asking is broken in the same way as one found by the monitor.'],
  ]),
  ...group('X-11', 'measured asking', [
    ['product X-11', 'The digest gives ask precision: the share of questions whose answer changed what was done.'],
    [
      'product X-11',
      'The digest gives ask recall: the share of ambiguities asked about, not found in review or by a late answer.',
    ],
    ['product X-11', 'The digest gives rounds per question and regret: assumptions that were rejected afterwards.'],
    ['product X-11; page', 'The page shows the same figures with their targets.'],
  ]),
  ...group('X-12', 'one machine or many', [
    ['contract 1', 'Without a store url everything is in files and needs neither server nor database.'],
    ['product X-12', 'With a PostgreSQL url the same commands give the same results.'],
    ['reliability tests', 'One contract suite runs against the in-memory, the file and the PostgreSQL store.'],
    ['product X-12', 'Workers on several machines share the work, and no run is carried out by two of them at once.'],
    [
      'reliability tests',
      'Killed at any write and started again, it misses nothing acknowledged, doubles nothing, parses every file.',
    ],
    [
      'reliability scale',
      'Clarification and question cycles, 32 at once and 10,000 pending, keep their ratios to the bare synced updates.',
    ],
    ['contract 1', 'doctor --repair moves a corrupt file aside, salvages what it can and never reuses an id.'],
  ]),
  ...group('X-13', 'people are reached', [
    ['contract 1', 'A question that opens, nears its deadline, ends or gets a late answer is told through channels.'],
    ['contract 1', 'A later rung of the ladder is used only if nobody has answered until then.'],
    ['product X-13', 'Quiet hours hold messages back until they end.'],
    ['product X-13', 'Ten questions in a minute make one message.'],
    ['product X-13', 'A person can snooze a question: no reminder comes before that time.'],
    ['product X-13', 'Each event is one message on each channel, over all processes and restarts.'],
    ['contract 1', 'A webhook gets a CloudEvent whose body is signed with HMAC-SHA256.'],
    [
      'product X-13',
      'What fails is tried again, and doctor shows what was never delivered, with a way to send it again.',
    ],
    ['contract 1', 'A command of a channel is started only after a person approved it.'],
    ['product X-13', 'A link in a message holds no key, and opening it answers nothing.'],
    ['contract 9', 'Text of agents is data in every channel.'],
    ['product X-13', 'The page notifies a person who allowed it, and asks for that only on a click.'],
  ]),
  ...group('X-14', 'answers written back', [
    ['product X-14', 'What was clarified is added to the artifact, with date, question, answer and who said it, once.'],
    ['product X-14', 'A late answer or a rejection changes what was added.'],
    ['product X-14', 'The addition leaves valid what memory remembers about the artifact.'],
  ]),
];
