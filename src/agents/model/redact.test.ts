import { describe, expect, it } from 'vitest';
import { withoutSecrets } from './redact.js';

describe('the environment of a program that an agent runs', () => {
  it.each([
    'OPENAI_API_KEY',
    'STRIPE_KEY',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_ACCESS_KEY_ID',
    'GH_TOKEN',
    'npm_config__authToken',
    'PGPASSWORD',
    'MYSQL_PWD',
    'DB_PASS',
    'GITHUB_PAT',
    'SENTRY_DSN',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'SESSION_COOKIE',
    'SIGNING_KEY_FILE',
    'NPM_AUTH',
  ])('has no %s', (name) => {
    expect(withoutSecrets({ [name]: 'value' })).toEqual({});
  });

  it.each([
    'PATH',
    'HOME',
    'PWD',
    'OLDPWD',
    'LANG',
    'KEYBOARD_LAYOUT',
    'NODE_ENV',
    'SSH_AUTH_SOCK',
    'COMPASS',
    'AUTHOR',
  ])('has %s', (name) => {
    expect(withoutSecrets({ [name]: 'value' })).toEqual({ [name]: 'value' });
  });

  it('has no variable whose value is the key of a vendor, whatever its name', () => {
    expect(withoutSecrets({ NOTE: 'sk-ant-api03-0123456789abcdefghijklmnopqrstuvwxyz0123456789' })).toEqual({});
  });
});
