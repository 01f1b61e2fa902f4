import { setTimeout as sleep } from 'node:timers/promises';
import { FakeGithub } from '../test/github/fake-github.js';
import type { FreshRepository, ServerReport } from './github/work.js';

/* GitHub of all contenders, in a process of its own. Each gets a fresh repository at an address of its own. */

let github = await fresh({ issues: 1, latencyMs: 0 });
process.on('message', (message: FreshRepository | 'requests') => {
  if (message === 'requests') return tell({ requests: requestsOf(github), violations: github.violations });
  void (async () => {
    await github.stop();
    github = await fresh(message);
    tell({ url: github.url });
  })();
});
process.on('disconnect', () => process.exit(0));
tell({ url: github.url });

function tell(report: ServerReport): void {
  process.send?.(report);
}

async function fresh({ issues, latencyMs }: FreshRepository): Promise<FakeGithub> {
  const next = new FakeGithub();
  for (let number = 1; number <= issues; number++) next.repository.createIssue({ title: `Issue ${number}` });
  next.interrupt = async (_, moment) => {
    if (moment === 'arrived' && latencyMs > 0) await sleep(latencyMs);
    return false;
  };
  await next.start();
  return next;
}

function requestsOf({ requests }: FakeGithub) {
  return requests.map(({ operation, path, query, headers, body }) => {
    const search = new URLSearchParams(query).toString();
    const etag = headers['if-none-match'];
    return {
      route: `${operation.split(' ')[0]} ${path}${search === '' ? '' : `?${search}`}`,
      body,
      ...(etag !== undefined && { etag }),
    };
  });
}
