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
