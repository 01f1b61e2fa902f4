import type { Question } from '../protocol/question.js';
import { shorten } from '../protocol/shorten.js';
import { askAboutWork } from './ask-about-work.js';
import type { AskHumansPorts } from './ports.js';

export interface WhatNextRequest {
  readonly origin: string;
  readonly issueNumber: number;
  readonly agent: string;
  readonly step: string;
  readonly reason: string;
  /** The missing output of the step. */
  readonly missing?: string;
}

const OPTIONS = [
  { id: 'retry', label: 'Try again', description: 'What you write beside it goes into the next brief.' },
  { id: 'skip', label: 'Go on without this step' },
  { id: 'stop', label: 'Stop the run' },
];

/** A step that cannot go on by itself: a human decides how it does. */
export async function askWhatNext(ports: AskHumansPorts, request: WhatNextRequest): Promise<Question> {
  const { origin, issueNumber, agent, step, reason, missing } = request;
  const thereOption = {
    id: 'there',
    label: 'It is there now',
    description: `The run looks for ${missing} and goes on.`,
  };
  return askAboutWork(ports, {
    origin,
    issueNumber,
    agent,
    header: `Step ${step}`,
    text: `Step '${step}' of ${agent} cannot go on: ${cut(reason)}. What next?`,
    options: missing === undefined ? OPTIONS : [thereOption, ...OPTIONS],
  });
}

const MAX_REASON = 1500;

function cut(reason: string): string {
  return shorten(reason.trim().replace(/[.?!]+$/, ''), MAX_REASON);
}
