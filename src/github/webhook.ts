import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { AgentXError } from '../protocol/errors.js';
import type { Delivery, RemoteComment } from '../protocol/github.js';
import type { SyncPorts } from './ports.js';
import { CommentData, commentOf } from './remote-data.js';

/*
 * A delivery is stored before it is acknowledged, and the next sync handles it, like a comment that polling finds. A
 * repeated delivery counts once. A delivery that was stored but not handled is handled later.
 */

export interface WebhookRequest {
  /** The headers `X-GitHub-Event`, `X-GitHub-Delivery` and `X-Hub-Signature-256`. */
  readonly event: string | undefined;
  readonly delivery: string | undefined;
  readonly signature: string | undefined;
  readonly body: Uint8Array;
}

/** More than GitHub offers to send again. */
const REMEMBERED = 1_000;

const Payload = z.looseObject({
  action: z.optional(z.string()),
  repository: z.optional(z.looseObject({ full_name: z.string() })),
  issue: z.optional(z.looseObject({ number: z.int(), pull_request: z.optional(z.unknown()) })),
  comment: z.optional(CommentData),
});

/**
 * UNAUTHORIZED without a right signature; INVALID_INPUT for a body that GitHub does not send. Returns whether it was
 * new.
 */
export async function takeDelivery(
  { mirror, clock, repo }: Pick<SyncPorts, 'mirror' | 'clock' | 'repo'>,
  secret: string,
  request: WebhookRequest,
): Promise<'new' | 'known' | 'ignored'> {
  requireSignature(secret, request);
  const { event, delivery } = request;
  if (delivery === undefined || !/^[\w-]{1,100}$/.test(delivery)) throw wrong('it has no X-GitHub-Delivery');
  const { action, repository, issue, comment } = payloadOf(request.body);
  // The repository may have been renamed.
  if (repository === undefined || repository.full_name.toLowerCase() !== repo.toLowerCase()) return 'ignored';
  const isComment = event === 'issue_comment' && ACTIONS.some((candidate) => candidate === action);
  if (!isComment && event !== 'issues') return 'ignored';
  const [broughtComment] =
    isComment && comment !== undefined && issue !== undefined && issue.pull_request === undefined
      ? commentOf({ ...comment, issue_url: `/issues/${issue.number}` })
      : [];
  const handledDelivery: Delivery = { id: delivery, at: clock.now(), isDone: true };
  return mirror.deliveries.update((current = { deliveries: [] }) => {
    if (current.deliveries.some(({ id }) => id === delivery)) return { next: current, result: 'known' as const };
    // If a person corrects or deletes a comment before it is read, the last version counts. GitHub promises no order.
    const waitingDeliveries = current.deliveries.filter(
      (one) => !one.isDone && broughtComment && one.comment?.id === broughtComment.id,
    );
    const isOver = isComment && action === 'deleted';
    const outdatedDeliveries = waitingDeliveries.filter(
      ({ comment: earlierComment }) => isOver || isBefore(earlierComment, broughtComment, action),
    );
    const others = current.deliveries.map((one) =>
      outdatedDeliveries.includes(one) ? { ...handledDelivery, id: one.id } : one,
    );
    const isGone = current.deliveries.some(
      ({ deleted }) => broughtComment !== undefined && deleted === broughtComment.id,
    );
    const isLate = isOver || isGone || outdatedDeliveries.length < waitingDeliveries.length;
    const deletion = isOver &&
      broughtComment && { isDone: false, deleted: broughtComment.id, issueNumber: broughtComment.issueNumber };
    const addedDelivery = isLate
      ? { ...handledDelivery, ...deletion }
      : { ...handledDelivery, isDone: false, ...(broughtComment && { comment: broughtComment }) };
    return { next: { ...current, deliveries: forgetOld([...others, addedDelivery]) }, result: 'new' as const };
  });
}

const ACTIONS = ['created', 'edited', 'deleted'];

/** GitHub's times have whole seconds: within a second, the edit is later. */
function isBefore(earlierComment?: RemoteComment, broughtComment?: RemoteComment, action?: string): boolean {
  const [left, right] = [earlierComment, broughtComment].map((comment) => Date.parse(comment?.updated ?? ''));
  if (left === undefined || right === undefined) return false;
  return left < right || (left === right && action === 'edited');
}

/** Only handled deliveries may be forgotten. */
function forgetOld(deliveries: readonly Delivery[]): readonly Delivery[] {
  const surplus = deliveries.length - REMEMBERED;
  return deliveries.filter(({ isDone }, index) => !isDone || index >= surplus);
}

function requireSignature(secret: string, { signature = '', body }: WebhookRequest): void {
  const right = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const signatureBytes = Buffer.from(signature);
  if (signatureBytes.length === right.length && timingSafeEqual(signatureBytes, right)) return;
  throw new AgentXError('UNAUTHORIZED', 'The signature of this delivery is missing or wrong.', {});
}

function payloadOf(body: Uint8Array): z.output<typeof Payload> {
  try {
    return z.parse(Payload, JSON.parse(Buffer.from(body).toString('utf8')));
  } catch {
    throw wrong('its body is not what GitHub sends (choose the content type application/json)');
  }
}

function wrong(why: string): AgentXError {
  return new AgentXError('INVALID_INPUT', `This is no delivery of a webhook: ${why}.`, {});
}
