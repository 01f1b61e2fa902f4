import { parseWith } from '../protocol/parse.js';
import { AnsweredBy } from '../protocol/question.js';
import type { SettlePorts } from './ports.js';
import { type InboxResult, settleQuestion } from './settle.js';

export interface EndQuestionRequest {
  readonly id: string;
  readonly by: AnsweredBy;
  /** The revision that the person saw; by default the present one. */
  readonly revision?: number;
}

/** A human saw the question and will not decide it: the agent goes on with an assumption. */
export async function declineQuestion(ports: SettlePorts, request: EndQuestionRequest): Promise<InboxResult> {
  return end(ports, request, { type: 'decline', outcome: 'declined' });
}

/** A human put the question away as not worth deciding: the agent goes on with an assumption. */
export async function dismissQuestion(ports: SettlePorts, request: EndQuestionRequest): Promise<InboxResult> {
  return end(ports, request, { type: 'dismiss', outcome: 'dismissed' });
}

/** Ending it the same way twice is no error. */
async function end(
  ports: SettlePorts,
  { id, by, revision }: EndQuestionRequest,
  { type, outcome }: { readonly type: 'decline' | 'dismiss'; readonly outcome: 'declined' | 'dismissed' },
): Promise<InboxResult> {
  parseWith(AnsweredBy, by, 'by');
  return settleQuestion(ports, id, (question) =>
    question.outcome === outcome
      ? undefined
      : { type, at: ports.clock.now(), by, revision: revision ?? question.revision },
  );
}
