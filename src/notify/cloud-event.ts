import type { Question } from '../protocol/question.js';
import { latestResponses } from '../protocol/question-answerers.js';
import type { Item, Letter } from './letter.js';

/*
 * A message for programs: one CloudEvent (specification 1.0, structured JSON). Source and id together are unique and
 * the same at every try, so that a receiver can drop repetitions.
 */

export interface CloudEvent {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject?: string;
  readonly time: string;
  readonly datacontenttype: 'application/json';
  readonly data: unknown;
}

export const CLOUD_EVENT_TYPE = 'application/cloudevents+json; charset=utf-8';

export function cloudEventOf(letter: Letter): CloudEvent {
  const [only] = letter.items;
  // If only one question of a digest is left, the message stays a digest and keeps its id.
  if (only?.id === letter.id) return eventOf(letter, only);
  return {
    ...base(letter),
    id: letter.id,
    type: 'agentx.question.digest',
    data: { project: letter.project, events: letter.items.map((item) => eventOf(letter, item)) },
  };
}

function eventOf(letter: Letter, item: Item): CloudEvent {
  const { event } = item.news;
  return {
    ...base(letter),
    id: item.id,
    type: `agentx.question.${event}`,
    subject: item.question.id,
    data: {
      project: letter.project,
      event,
      headline: item.headline,
      question: shownOf(item.question),
      choices: item.choices,
      ...(item.link !== undefined && { link: item.link }),
    },
  };
}

function base({ project, at }: Letter) {
  return {
    specversion: '1.0',
    source: `/agentx/${encodeURIComponent(project)}`,
    time: at,
    datacontenttype: 'application/json',
  } as const;
}

/** The fields that concern people outside; drafts, keystrokes and inner marks do not. */
function shownOf(question: Question) {
  const { id, projectId, issueNumber, kind, source, sourceId, askedBy, questions, blocking, consequence } = question;
  const { fallback, expiresAt, status, outcome, answeredBy, createdAt, resolvedAt, revision, reason } = question;
  return {
    id,
    projectId,
    issueNumber,
    kind,
    source,
    sourceId,
    askedBy,
    questions,
    blocking,
    consequence,
    fallback,
    expiresAt,
    status,
    outcome,
    answeredBy,
    createdAt,
    resolvedAt,
    revision,
    reason,
    responses: latestResponses(question),
  };
}
