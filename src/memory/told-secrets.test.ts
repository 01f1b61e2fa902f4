import { expect, it } from 'vitest';
import { withoutTold } from './told-secrets.js';

it.each([
  ['ssh root@10.0.0.4 with Foo-bar-77', 'Foo-bar-77'],
  ['root pw kranich-wolke-Nord', 'kranich-wolke-Nord'],
  ['the password is kranich-wolke-nord', 'kranich-wolke-nord'],
  ['password "Kranich Wolke Nord 7"', 'Kranich Wolke'],
  ["it's Sommer-77-Regen, the admin password", 'Sommer-77-Regen'],
  ['PIN 447193 for the safe', '447193'],
  ['WiFi: Gast!2027x', 'Gast!2027x'],
])('leaves out the password of: %s [ME-9/1]', (text, secret) => {
  expect(withoutTold(text)).not.toContain(secret);
  expect(withoutTold(text)).toContain('[redacted]');
});

it.each([
  'The password is required and must have 12 characters.',
  'Passwords are hashed with PBKDF2 and SHA-256, see `src/auth/hash.ts`.',
  'The token lives on the runner win-sign-01 in eu-central-1.',
  'The reset token expires after 24h, see SHOP-2291 and version 2.4.1.',
  'The API key is read from `PAYMENT_API_KEY` by loadSecret2().',
  'ssh deploy@lager-test01 is allowed from the VPN only.',
  'The slot holds 16 kB since 2025-10-01.',
])('leaves other names as they are: %s', (text) => {
  expect(withoutTold(text)).toBe(text);
});

it.each([
  ['the db user is app and the pass is ', ', prod allows 20 connections'],
  ['SMTP_PASS is ', ', the relay accepts 100 mails per hour'],
  ['log in on the box with root / ', ', it has 2 cores'],
  ['admin:', ' works on staging, never use it on prod'],
  ['use ', ' as the webhook signing secret'],
  ['you can get in with ', ' at the gateway'],
  ['the key for the license server is ', ', it allows 5 seats'],
  ['my token ', ' expires every 24 hours'],
  ['the sandbox account (qa@example.com, ', ') is limited to 3 sessions'],
])('hides what people tell each other: %s...%s', (before, after) => {
  for (const secret of ['Wq7-trombone-88', 'Lerche!2041xk', 'xk93-lima-ocean77', 'kPz81-vvQ'])
    expect(withoutTold(`${before}${secret}${after}`)).not.toContain(secret);
});

it.each([
  'the primary key is order_id, the foreign key user_id2',
  'the token uses sha256 and oauth2, the key is kept in vault/ci.toml',
  'tests pass on node20, the pass rate is 98%',
  'admin: only people of the team may see it',
  'write to ops@example.com, they answer within 2 days',
])('keeps what is no secret: %s', (text) => {
  expect(withoutTold(text)).toBe(text);
});

it.each([
  'use {} for the sandbox, it allows 10 requests',
  'the sandbox is at https://sandbox.example.com ({})',
  'API_KEY {} is valid for one region',
])('hides what was made by chance, whatever is said around it: %s', (text) => {
  for (const secret of ['hzd_9KfmX2vLq81TnbWe55RzPo', 'Lerche!2041xk', 'tr0ub4dor&3'])
    expect(withoutTold(text.replace('{}', secret))).not.toContain(secret);
});

it.each([
  'commit 9f8e7d6c5b4a39281706f5e4d3c2b1a0 fixes V37__slot_version.sql',
  'getUserByIdV2 returns 404, `$JS.EVENT.ADVISORY` needs a subscription',
  'call https://api.example.com/v1/orders?page=2&size=50 and a?.b2 && c3',
  'the image is node20-alpine3.19 with OpenSSL3 and Llama-3-70B-Instruct',
])('keeps names of code, commits and addresses: %s', (text) => {
  expect(withoutTold(text)).toBe(text);
});
