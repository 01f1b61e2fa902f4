import { createHmac, randomUUID } from 'node:crypto';
import type { FakeGithub } from './fake-github.js';
import type { Comment } from './repository.js';
import { commentShape, issueShape, repositoryShape, userShape } from './shapes.js';

/** What GitHub sends to a webhook: a body and the headers that go with it. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A comment that was made or edited, as GitHub tells of it. Each has an id of its own; a repeated one keeps it. */
export function commentDelivery(
  github: FakeGithub,
  comment: Comment,
  { secret, action = 'created' }: { readonly secret: string; readonly action?: 'created' | 'edited' | 'deleted' },
): Delivery {
  const place = { api: github.url, repository: github.repository };
  return delivery('issue_comment', secret, {
    action,
    issue: issueShape(github.repository.issue(comment.issue), place),
    comment: commentShape(comment, place),
    repository: repositoryShape(github.repository.personNamed(github.repository.owner), place),
    sender: userShape(comment.author, place),
  });
}

export function delivery(event: string, secret: string, payload: object): Delivery {
  const body = JSON.stringify(payload);
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/1234567',
      'x-github-event': event,
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
  };
}
