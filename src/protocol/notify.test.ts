import { describe, expect, it } from 'vitest';
import { parseConfig } from '../app/config.js';

const parse = (lines: string) => parseConfig(`[[notify]]\n${lines}\n`, { file: 'config.toml', project: 'shop' }).notify;

describe('the settings of channels', () => {
  it.each([
    ['channel = "pigeon"', /'notify\[0\]\.channel' must be "command" or "webhook"/],
    ['channel = "webhook"', /'notify\[0\]\.url' is missing: it must be given for channel "webhook"/],
    ['channel = "webhook"\nurl = "ftp://x"', /'notify\[0\]\.url' must be an http or https address, or env:NAME/],
    ['channel = "mail"\nurl = "http://x"\nfrom = "a"\nto = ["b"]', /must be an SMTP address/],
    ['channel = "desktop"\nurl = "http://x"', /'notify\[0\]\.url' is not for channel "desktop"/],
    ['channel = "desktop"\nwhen = ["opend"]', /'notify\[0\]\.when\[0\]' must be "opened" or "deadline"/],
    ['channel = "desktop"\nquiet = "22-7"', /must be two times of day such as "22:00-07:00", not "22-7"/],
    ['channel = "desktop"\ntime_zone = "Mars"', /must be the name of a time zone/],
    ['channel = "desktop"\nafter_minutes = -1', /must be a number of minutes from 0 to 43200/],
    ['channel = "desktop"\nafter = 1', /unknown key 'notify\[0\]\.after'\. Did you mean 'after_minutes'\? Allowed: /],
  ])('that are wrong are named: %s', (lines, problem) => {
    expect(() => parse(lines)).toThrow(problem);
    expect(() => parse(lines)).toThrow(/^config\.toml, line \d: /);
  });

  it('have the defaults that the contract shows', () => {
    expect(parse('channel = "webhook"\nurl = "env:AGENTX_WEBHOOK"\nsecret = "env:AGENTX_WEBHOOK_KEY"')).toEqual([
      {
        channel: 'webhook',
        url: 'env:AGENTX_WEBHOOK',
        secret: 'env:AGENTX_WEBHOOK_KEY',
        when: ['opened', 'deadline', 'answered', 'fallback', 'late'],
        after_minutes: 0,
        deadline_minutes: 2,
        gather_seconds: 10,
      },
    ]);
  });

  it('do not show a wrong address, which may hold a key', () => {
    expect(() => parse('channel = "webhook"\nurl = "gopher://user:key@x"')).toThrow(/^((?!key@).)*$/s);
  });
});
