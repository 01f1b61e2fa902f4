import { describe, expect, it } from 'vitest';
import type { ObservationCategory } from '../protocol/observation.js';
import { draftsOfTranscript } from './observation-extractor.js';

type Turn = readonly [role: string, content: unknown];

const EDIT: Turn = ['assistant', [{ type: 'tool_use', name: 'Edit', input: { file_path: '/w/src/quota.ts' } }]];
const FAILED: Turn = ['user', [{ type: 'tool_result', is_error: true, content: 'quota.ts:9: undefined: limitOf' }]];
const READ: Turn = ['assistant', [{ type: 'tool_use', name: 'Read', input: { file_path: '/w/src/quota.ts' } }]];

/** What the last message is taken for. */
function categoryAfter(turns: readonly Turn[], said: Turn): ObservationCategory | undefined {
  const text = [...turns, said].map(([role, content]) => JSON.stringify({ role, content })).join('\n');
  return draftsOfTranscript(text).find(({ content }) => String(said[1]).includes(content))?.category;
}

const ASKED: Turn = ['user', 'the nightly sync of the warehouse writes every order twice'];
const GREETED: Turn = ['user', 'morning, we go on with the quotas of the tenants today'];

describe('a user', () => {
  it.each([
    'the staging cluster only has 2 nodes with 8 GB each',
    'invoices are never deleted, the auditors need them for 10 years',
    'the export has to be on the SFTP server by 06:00 UTC',
    'Marta owns the DNS zones and rotates the keys on Mondays',
    'tests must not open the network, the CI runners have none',
  ])('tells a fact: %s', (said) => {
    expect(categoryAfter([GREETED, ['assistant', 'I read `src/quota.ts`.']], ['user', said])).toBe('key-fact');
  });

  it('tells with "only" how it is, too', () => {
    const said = 'only the scales at dock 7 were swapped in March';
    expect(categoryAfter([GREETED, ['assistant', 'I read `src/quota.ts`.']], ['user', said])).toBe('key-fact');
  });

  it('decides with an answer that begins without a verb', () => {
    const offered: Turn = ['assistant', 'Should I give the job a larger disk in `src/quota.ts`?'];
    const said = '80 GB on top because a job that runs away may fill the disk of the node';
    expect(categoryAfter([GREETED, offered], ['user', said])).toBe('decision');
    expect(categoryAfter([GREETED, ['assistant', 'I read `src/quota.ts`.']], ['user', said])).not.toBe('decision');
  });

  it.each([
    'use the batch API with 200 rows for this',
    'no retries here, the queue does that already',
    'rather one table per tenant, 40 tables are fine',
    'please store the amounts in cents',
    'the old endpoint stays until version 5',
    'do the export for 2026 only',
  ])('decides: %s', (said) => {
    expect(categoryAfter([GREETED, ['assistant', 'I read `src/quota.ts`.']], ['user', said])).toBe('decision');
  });
});

describe('an agent', () => {
  const EXPLAINED =
    'The consumer acknowledges after the write, while the broker delivers again after 30 seconds without an ack.';
  const DESCRIBED = '`quotaOf()` in src/quota.ts reads the limit of the tenant once and keeps it for 5 minutes.';

  it('explains a trouble that was reported, or that a program showed', () => {
    expect(categoryAfter([ASKED, READ], ['assistant', EXPLAINED])).toBe('error');
    const other = '`limitOf` moved to the package `limits` in 3.2, and the old import is empty.';
    expect(categoryAfter([GREETED, EDIT, FAILED], ['assistant', other])).toBe('error');
  });

  it('describes what it has just changed', () => {
    expect(categoryAfter([GREETED, EDIT], ['assistant', DESCRIBED])).toBe('code-change');
    expect(categoryAfter([GREETED, READ], ['assistant', DESCRIBED])).toBe('key-fact');
  });

  it('tells what it changed, whatever that brought', () => {
    const changed = 'I moved `limitOf` to `limits.ts`; the image went from 412 MB to 355 MB.';
    expect(categoryAfter([GREETED, EDIT], ['assistant', changed])).toBe('code-change');
  });

  it('names the cause of a failure, also right after a change', () => {
    const cause = '`npm run lint` fails because `dispatch.ts` still calls `limitOf`, which is gone.';
    expect(categoryAfter([GREETED, EDIT], ['assistant', cause])).toBe('error');
  });

  it('begins with "we do", and tells what is wrong', () => {
    const wrong =
      'We do, but it is wrong: `http.ts` makes the tag from the version, so it only changes with a release.';
    expect(categoryAfter([ASKED], ['assistant', wrong])).toBe('error');
  });

  it('tells a fact that it looked up, although it is about what was settled', () => {
    const settled: Turn = ['user', 'cap the tenants at 500 requests, and reject the rest with 429'];
    const found = 'I looked it up: `gateway.ts` caps the requests of tenants at 500 already.';
    expect(categoryAfter([GREETED, settled], ['assistant', found])).toBe('key-fact');
  });

  it('says nothing with an offer, nor with a secret', () => {
    const offer = 'I left the second call in `quota.ts` as it is, tell me if you want it fixed.';
    expect(categoryAfter([GREETED], ['assistant', offer])).toBeUndefined();
    const secret = 'the password of the user `backfill` is `Regen!Tonne-88`, please rotate it when you are done';
    expect(categoryAfter([GREETED], ['user', secret])).toBeUndefined();
  });

  it('repeats what was settled', () => {
    const settled: Turn = ['user', 'cap the tenants at 500 requests, and reject the rest with 429'];
    const repeated = 'Tenants are capped at 500 requests per minute, the rest gets a 429.';
    expect(categoryAfter([GREETED, settled], ['assistant', repeated])).toBe('decision');
  });

  it('says nothing with what everyone knows, or what it takes back itself', () => {
    const known = 'Kafka is a distributed log that keeps messages on disk for consumers.';
    expect(categoryAfter([GREETED], ['assistant', known])).toBeUndefined();
    const takenBack = 'The job runs at 9 in the zone of the image, no, wait, the image is on UTC.';
    expect(categoryAfter([ASKED], ['assistant', takenBack])).toBeUndefined();
  });
});
