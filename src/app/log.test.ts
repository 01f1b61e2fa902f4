import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { createLog, LogFile, logLevelOf } from './log.js';

const MIB = 1024 * 1024;

const linesIn = (folder: string, file = 'agentx.log') =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Record<string, unknown> => JSON.parse(line));

describe('the log', () => {
  it('writes one JSON object a line, with its level, time and fields, for the owner only', async () => {
    const folder = join(temporaryFolder(), 'state', 'logs');
    const log = createLog({ folder });
    const before = Date.now();
    log.info('monitor check', { staleCount: 1 });
    log.warn('the target failed', { error: new TypeError('boom') });
    await log.flush();
    log.error('written at once');
    expect(linesIn(folder)).toMatchObject([
      { level: 'info', msg: 'monitor check', staleCount: 1, pid: process.pid },
      { level: 'warn', error: { name: 'TypeError', message: 'boom' } },
      { level: 'error', msg: 'written at once' },
    ]);
    expect(Date.parse(String(linesIn(folder)[0]?.time))).toBeGreaterThanOrEqual(before);
    expect(statSync(join(folder, 'agentx.log')).mode & 0o777).toBe(0o600);
  });

  it.each(['leads to a file of its owner', 'leads nowhere'])('does not follow a link that %s', (leads) => {
    const folder = temporaryFolder();
    const target = join(temporaryFolder(), '.bashrc');
    if (leads !== 'leads nowhere') writeFileSync(target, 'alias ll="ls -l"');
    symlinkSync(target, join(folder, 'agentx.log'));
    const errors: unknown[] = [];
    createLog({ folder, onError: (error) => errors.push(error) }).error('$(rm -rf ~)');
    expect(errors).toMatchObject([{ code: 'ELOOP' }]);
    expect(existsSync(target) ? readFileSync(target, 'utf8') : 'alias ll="ls -l"').toBe('alias ll="ls -l"');
  });

  it.each(['.agentx', '.agentx/state'])(
    'makes nothing in place of a removed %s, and goes on when it is back',
    (gone) => {
      const repository = temporaryFolder();
      const folder = join(repository, '.agentx/state/logs');
      mkdirSync(folder, { recursive: true });
      const log = createLog({ folder });
      renameSync(join(repository, gone), join(repository, 'away'));
      log.error('lost');
      expect(existsSync(join(repository, gone))).toBe(false);
      renameSync(join(repository, 'away'), join(repository, gone));
      log.error('kept');
      expect(linesIn(folder)).toMatchObject([{ msg: 'kept' }]);
    },
  );

  it('takes its level from the environment, and a level that there is not for none', () => {
    expect(['debug', 'error', 'silent', 'loud', '', undefined].map(logLevelOf)).toEqual([
      'debug',
      'error',
      'silent',
      'info',
      'info',
      'info',
    ]);
  });

  it('touches nothing before a line is worth writing', async () => {
    const folder = join(temporaryFolder(), 'logs');
    const log = createLog({ folder, level: 'warn' });
    log.debug('no');
    log.info('no');
    await log.flush();
    createLog({ folder, level: 'silent' }).error('no');
    expect(existsSync(folder)).toBe(false);
  });

  it('writes what a process that never rests has logged, without waiting for its timers', async () => {
    const folder = temporaryFolder();
    const log = createLog({ folder });
    log.info('begun');
    await log.flush();
    for (let count = 0; count < 1000; count++) log.info('at work', { count });
    expect(linesIn(folder).length).toBeGreaterThan(1);
  });

  it('leaves out what is secret, at any depth, and cuts what is endless', async () => {
    const folder = temporaryFolder();
    const log = createLog({ folder });
    const endless: Record<string, unknown> = { name: 'x' };
    endless.self = endless;
    log.info('all kinds', {
      token: 't0p',
      deep: [{ headers: { Authorization: 't0p', 'api-key': 't0p', apiKey: 't0p' } }],
      Password: 't0p',
      secret: { value: 't0p' },
      tokens: 12,
      endless,
      huge: 'x'.repeat(2 * MIB),
      big: 10n,
      odd: {
        toJSON: () => {
          throw new Error('not to be called');
        },
      },
    });
    await log.flush();
    const text = readFileSync(join(folder, 'agentx.log'), 'utf8');
    expect(text).not.toContain('t0p');
    expect(text.length).toBeLessThan(100_000);
    expect(linesIn(folder)).toMatchObject([{ token: '[redacted]', tokens: 12, big: '10' }]);
  });

  it('reports once that it cannot write, and stops no caller', async () => {
    const folder = join(temporaryFolder(), 'file');
    writeFileSync(folder, '');
    const errors: unknown[] = [];
    const log = createLog({ folder, onError: (error) => errors.push(error) });
    log.info('one');
    log.info('two');
    await log.flush();
    log.info('three');
    expect(errors).toHaveLength(1);
  });
});

describe('the log file', () => {
  const line = (size: number) => `${JSON.stringify('x'.repeat(size - 3))}\n`;

  it('is rotated before it passes one MiB, and five files are kept', () => {
    const folder = temporaryFolder();
    const file = new LogFile(folder);
    for (let count = 0; count < 14; count++) file.append(line(MIB / 2));
    const files = readdirSync(folder).toSorted();
    expect(files).toEqual(['agentx.1.log', 'agentx.2.log', 'agentx.3.log', 'agentx.4.log', 'agentx.log']);
    for (const name of files) expect(statSync(join(folder, name)).size).toBe(MIB);
  });

  it('is written on while another process rotates it, and rotated when that process died over it', () => {
    const folder = temporaryFolder();
    const file = new LogFile(folder);
    const lock = join(folder, 'agentx.log.lock');
    file.append(line(MIB));
    writeFileSync(lock, '');
    file.append(line(100));
    expect(statSync(join(folder, 'agentx.log')).size).toBe(MIB + 100);
    utimesSync(lock, 0, 0);
    file.append(line(100));
    file.append(line(100));
    expect(statSync(join(folder, 'agentx.log')).size).toBe(100);
    expect(existsSync(lock)).toBe(false);
  });

  it('loses and tears no line when several processes write and rotate', async () => {
    const folder = temporaryFolder();
    const program = join(temporaryFolder(), 'writer.mjs');
    const source = `import { LogFile } from './src/app/log.ts';
      const file = new LogFile(process.argv[2]);
      for (let n = 0; n < 700; n++) file.append(JSON.stringify({ by: process.argv[3], n, x: 'x'.repeat(1000) }) + '\\n');`;
    const options = { bundle: true, platform: 'node', format: 'esm', outfile: program } as const;
    buildSync({ ...options, stdin: { contents: source, resolveDir: process.cwd(), loader: 'ts' } });
    const run = promisify(execFile);
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => run(process.execPath, [program, folder, name])));
    const lines = readdirSync(folder).flatMap((name) => linesIn(folder, name));
    expect(new Set(lines.map(({ by, n }) => `${by}${n}`)).size).toBe(4 * 700);
    expect(lines).toHaveLength(4 * 700);
  });
});
