import { describe, expect, it } from 'vitest';
import { JWT, SECRETS_IN_TEXT, VENDOR_KEYS } from '../../test/builders/secrets.js';
import { redact, withoutPrivate } from './redact.js';

describe('redact', () => {
  it.each(VENDOR_KEYS)('takes out a key of a vendor: %s [ME-9/1] [ME-9/9]', (_name, key) => {
    for (const text of [key, `"${key}"`, `x = '${key}';`, `(${key})`, `\u001b[32m${key}\u001b[0m`, `key:${key},`]) {
      expect(redact(`before ${text} after`)).not.toContain(key);
      expect(redact(`before ${text} after`)).toMatch(/^before .*\[redacted\].* after$/);
    }
  });

  it.each(SECRETS_IN_TEXT)('takes out the secret of %s [ME-9/1] [ME-9/9]', (_name, secret, text) => {
    expect(text).toContain(secret);
    expect(redact(text)).not.toContain(secret);
    expect(redact(text)).toContain('[redacted]');
  });

  it('leaves what is around a secret readable', () => {
    expect(redact('Use postgres://shop:sw0rdf1sh@db:5432/shop in CI.')).toBe(
      'Use postgres://shop:[redacted]@db:5432/shop in CI.',
    );
    expect(redact('DB_PASSWORD=hunter2\nDB_HOST=db')).toBe('DB_PASSWORD=[redacted]\nDB_HOST=db');
    expect(redact(`token ${JWT}.`)).toMatch(/^token \[redacted\]/);
  });

  it.each([
    'const password = await readPassword(prompt);',
    'withCredentials: defaultToConfig2, cancelToken: defaultToConfig2,',
    "const password = utils$1.getSafeProp(auth, 'password');",
    'xsrfHeaderName:"X-XSRF-TOKEN",maxContentLength:-1',
    'azd auth login --client-id clientID --client-secret clientSecret',
    'const sig=secp256k1.sign(digest)',
    '{ "access_token": "abc123def456ghi789" }',
    'exports.LONG_PASSWORD = 0x00000001;',
    'const { calculateToken: calculateSha2Token } = plugin;',
    'issueCredential: openid4vciIssueCredential,',
    "connect('mongodb://user:pass@127.0.0.1:port/database')",
    'redis://:password@host has no user',
    'such as AKIAIOSFODNN7EXAMPLE in the manual',
    'interface Login { password: string; token: Token }',
    'The password is required and must have 12 characters.',
    'Use a bearer token, not basic authentication.',
    'API_TOKEN=$TOKEN',
    'API_TOKEN="$SECRET_TOKEN"',
    'PASSWORD_MIN_LENGTH=12',
    'TOKEN_FILE=/run/secrets/token',
    'git@github.com:shop/shop.git',
    'https://example.com:8080/path@2x.png',
    'Tokens are counted by o200k, at most 20000 of them.',
    'commit 3f9a1c07b2e84d563f9a1c07b2e84d563f9a1c07',
    'run-42-1a2b3c4d.implement.1 asked CLR-42-001 and oq-1a2b3c4d5e6f7a8b',
    'integrity sha512-hRxEbZFbOGPYcHKQVu6bjyoMsPsXFBaiFg9RQs9F5nHNUsBZ6cIcbvqj',
    'token: sha256, secret: base64, key: utf8',
    'if (token === tokens.next_token2) return token2;',
    '-----BEGIN CERTIFICATE-----',
    'PEM files begin with -----BEGIN RSA PRIVATE KEY----- and end with -----END RSA PRIVATE KEY-----.',
    'export const secretPatterns = new Set(["api-key", "access-token"]);',
    'Give it <private key> or <private-key>, and it signs.',
    'The sk- prefix and the ghp_ prefix are known.',
    'Request 3f1c9d2e-77aa-4b1c-9c1e-0d2f3a4b5c6d took 40 ms',
    `data:image/png;base64,iVBORw0KGgo${'aB3dE5gH7jK9'.repeat(8)}`,
    'it("rejects_a_password_that_is_shorter_than_twelve_characters", () => {',
    'password: z.string().min(12),',
    'properties:\n  user: string\n  password: string\n',
    'user:\n  password: required\n',
    'login:\n  password: $' + '{{ secrets.DB_PASSWORD }}',
    'Cookie: theme=dark; lang=de',
    'The passwordless login uses magic links.',
    'Das Passwort ist mindestens zwoelf Zeichen lang.',
    'the machine has a login page and a password field',
    '"auth": "required"',
    'obs-engineer-42-1772100000000-a1b2c3',
    `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ${'k'.repeat(40)} bob@host`,
    'see https://docs.example.org:8443/a@b',
    'passwordResetTokenExpiresInMinutes: 30',
    'src/driver.c:1288:12:error:expected',
    'GET /orders?key=created_at&order=desc',
    'e.keyCode===32?o.key=String.fromCharCode(e.keyCode2):1',
    'kind: ConfigMap\ndata:\n  color: dark-blue\n',
    'const total = s.someQuiteLongMethodNames(1);',
    'openssl rsa -in key.pem -passin env:KEY_PASS',
    'The environment ENV API_TOKEN $' + '{TOKEN} is filled in later.',
    'submitPassword: SIGN_IN_V2_CHALLENGE,',
    'ARN: "arn:aws:secretsmanager:us-west-2:123456789012:secret:MyTestDatabaseSecret-a1b2c3"',
    'AccessToken: "abcd1234efgh5678EXAMPLE"',
    'The password for the admin page is at least 12 characters long.',
    'login page / step2 of the wizard',
    'export type ClientCredential = OAuth2TokenCredential | BasicCredential;',
  ])('leaves ordinary text alone: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('changes nothing more when done twice', () => {
    const all = [...VENDOR_KEYS.map(([, key]) => key), ...SECRETS_IN_TEXT.map(([, , text]) => text)].join('\n');
    expect(redact(redact(all))).toBe(redact(all));
  });

  it('stays quick on long runs of one character', () => {
    for (const part of [
      'a',
      '=',
      ':',
      '-----BEGIN PRIVATE KEY-----',
      'eyJ',
      '://a:',
      'password',
      'password for ',
      'login a / ',
      ' ',
      'A_',
      '<private',
      'a:1234:',
      'data:\n a: b\n',
      'curl ',
      '?key=',
    ]) {
      const text = part.repeat(Math.ceil(300_000 / part.length));
      expect(redact(text).length).toBeLessThanOrEqual(text.length + 1);
    }
  });
});

describe('private text', () => {
  it.each([
    ['Keep this. <private>Not this.</private> And this.', ['Keep this.', 'And this.']],
    ['Keep this. <PRIVATE >Not this.</Private > And this.', ['Keep this.', 'And this.']],
    ['One <private\n>Not this<\\/private> two', ['One', 'two']],
    ['One \\u003cprivate\\u003eNot this\\u003c/private\\u003e two', ['One', 'two']],
    ['One &lt;private&gt;Not this&lt;/private&gt; two', ['One', 'two']],
    ['One <private reason="pay">Not this</private> two', ['One', 'two']],
    ['One < private >Not this</ private> two', ['One', 'two']],
    ['One <private>Not\nthis</private> two <private>nor this</private> three', ['One', 'two', 'three']],
    ['Before <private>not <private>not</private> this</private> after', ['Before', 'after']],
  ])('leaves no trace: %s [ME-9/2]', (text, rest) => {
    expect(redact(text).replace(/\s+/g, ' ').trim()).toBe(rest.join(' '));
  });

  it('is everything after a mark that is not closed [ME-9/8]', () => {
    expect(redact('Known. <private>Secret.\n\nAll the rest.').trim()).toBe('Known.');
    expect(withoutPrivate('Known. <private>a</private> b <private>c').trim().replace(/\s+/g, ' ')).toBe('Known. b');
  });
});
