import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentx, aRepository } from './support/agentx.js';

describe('agentx issue', () => {
  it('takes an issue from its creation to its end and back', async () => {
    const cwd = await aRepository();
    const labels = ['-l', 'type:feature', 'priority:p1'];
    expect(agentx(cwd, ['issue', 'create', '-t', 'Health endpoint', ...labels])).toMatchObject({
      status: 0,
      stdout: '#1 Health endpoint\n',
      stderr: 'See what can be worked on: agentx ready\n',
    });
    agentx(cwd, ['issue', 'create', '-t', 'Export', '-b', 'Blocked-by: #1', '-l', 'priority:p0', '-l', 'type:bug']);
    expect(agentx(cwd, ['issue', 'list']).stdout).toBe(
      '#1  P1  feature  Backlog  Health endpoint\n#2  P0  bug      Backlog  Export\n',
    );
    expect(agentx(cwd, ['ready']).stdout).toBe(
      'P1  #1  feature  Health endpoint\nBLOCKED\n    #2  bug  Export  BLOCKED: #1\n',
    );

    expect(agentx(cwd, ['issue', 'close', '1']).stdout).toBe('#1 Health endpoint is closed.\n');
    expect(agentx(cwd, ['issue', 'close', '#1']).status).toBe(0);
    expect(agentx(cwd, ['ready']).stdout).toBe('P0  #2  bug  Export\n');
    expect(agentx(cwd, ['issue']).stdout).toBe('#2  P0  bug  Backlog  Export\n');
    expect(agentx(cwd, ['issue', '--all']).stdout).toBe(agentx(cwd, ['issue', 'list', '--all']).stdout);
    expect(agentx(cwd, ['issue', 'list', '--all']).stdout).toContain('#1  P1  feature  closed   Health endpoint\n');

    expect(agentx(cwd, ['issue', 'reopen', '1']).stdout).toBe('#1 Health endpoint is open.\n');
    expect(agentx(cwd, ['issue', 'reopen', '1']).status).toBe(0);
    expect(agentx(cwd, ['ready']).stdout).toContain('BLOCKED: #1');
  });

  it('shows one issue with its conversation, signed by who was at the keyboard or which agent called', async () => {
    const cwd = await aRepository({ issues: [{ title: 'Export' }] });
    expect(agentx(cwd, ['issue', 'comment', '1', '-b', 'CSV?']).stdout).toBe('#1 Export: 1 comment\n');
    agentx(cwd, ['issue', 'comment', '1', '-b', 'Yes.\nWith a header.'], { env: { AGENTX_AGENT: 'architect' } });
    const { status, stdout } = agentx(cwd, ['issue', 'show', '1']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^#1 Export\n {2}type {6}story\n/);
    expect(stdout).toMatch(/\n\[ada\] \d{4}-\d\d-\d\dT\S+Z\n {2}CSV\?\n/);
    expect(stdout).toMatch(/\n\[architect\] \S+\n {2}Yes\.\n {2}With a header\.\n$/);
  });

  it('takes the title as a word of its own, and never two', async () => {
    const cwd = await aRepository();
    expect(agentx(cwd, ['issue', 'create', 'Import', '--json']).json()).toMatchObject({ number: 1, title: 'Import' });
    const twice = agentx(cwd, ['issue', 'create', 'Import', '-t', 'Export']);
    expect(twice).toMatchObject({ status: 2, stdout: '' });
    expect(twice.stderr).toContain('The title is given twice');
  });

  it('gives programs the issue, or all of them', async () => {
    const cwd = await aRepository();
    const args = ['issue', 'create', '--title', 'Export', '--label', 'type:bug', '--json'];
    expect(agentx(cwd, args).json()).toMatchObject({ number: 1, title: 'Export', labels: ['type:bug'], state: 'open' });
    const comment = agentx(cwd, ['--json', 'issue', 'comment', '1', '-b', 'CSV?']).json();
    expect(comment).toMatchObject({ number: 1, comments: [{ author: 'ada', body: 'CSV?' }] });
    expect(agentx(cwd, ['issue', 'show', '1', '--json']).json()).toEqual(comment);
    expect(agentx(cwd, ['issue', 'close', '1', '--json']).json()).toMatchObject({
      state: 'closed',
      taskStatus: 'done',
    });
    expect(agentx(cwd, ['issue', 'list', '--json']).json()).toEqual({ issues: [] });
    expect(agentx(cwd, ['issue', 'list', '--all', '--json']).json()).toMatchObject({ issues: [{ number: 1 }] });
  });

  it('says what to do where there is nothing', async () => {
    const cwd = await aRepository();
    expect(agentx(cwd, ['issue'])).toMatchObject({
      status: 0,
      stdout: 'No issues yet.\n',
      stderr: 'Create one: agentx issue create\n',
    });
    agentx(cwd, ['issue', 'create', '-t', 'First']);
    agentx(cwd, ['issue', 'close', '1']);
    expect(agentx(cwd, ['issue', 'list'])).toMatchObject({
      stdout: 'No open issues; 1 closed.\n',
      stderr: 'See them: agentx issue list --all\n',
    });
    expect(agentx(cwd, ['issue', 'list', '--quiet']).stderr).toBe('');
  });

  it.each([
    [['create', '-t', ' '], 2, 'The title is empty.'],
    [['create'], 2, "Missing required argument 'title'"],
    [['create', '-t', 'x', '-l', ''], 2, 'The label is empty.'],
    [['show', 'x'], 2, "'x' is not a valid issue number. Allowed: whole numbers from 0."],
    [['close', '-1'], 2, "'-1' is not a valid issue number."],
    [['close', '1', '2'], 2, 'oo many arguments'],
    [['comment', '1.5', '-b', 'x'], 2, "'1.5' is not a valid issue number."],
    [['comment', '1'], 2, 'What do you have to say? Add -m TEXT, or -F FILE (- is stdin).'],
    [['comment', '1', '-b', ''], 2, 'The comment is empty.'],
    [['crate', '-t', 'x'], 2, "There is no 'agentx issue crate'. Did you mean 'create'? Allowed: create, list,"],
    [['show', '9'], 4, 'There is no issue #9.'],
    [['close', '9'], 4, '9'],
  ])('refuses %j', async (args, status, message) => {
    const cwd = await aRepository({ issues: [{ title: 'First' }] });
    const refused = agentx(cwd, ['issue', ...args]);
    expect(refused).toMatchObject({ status, stdout: '' });
    expect(refused.stderr).toContain(message);
    expect(agentx(cwd, ['issue', ...args, '--json']).json()).toMatchObject({
      error: { code: status === 4 ? 'NOT_FOUND' : 'INVALID_INPUT', message: expect.stringContaining(message) },
    });
  });

  it('goes on without an issue file that does not parse, and says so', async () => {
    const cwd = await aRepository({ issues: [{ title: 'First' }, { title: 'Second' }] });
    writeFileSync(join(cwd, '.agentx/issues/1.json'), '{ half');
    const { status, stdout, stderr } = agentx(cwd, ['issue', 'list']);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '#2  P-  story  Backlog  Second\n' });
    expect(stderr).toMatch(/^warning: .*1\.json/);
  });

  it('shows text as text, and colour only where it is wanted', async () => {
    const cwd = await aRepository({ issues: [{ title: 'Ex\u001b[2J\u001b]0;owned\u0007port\nnow' }] });
    for (const args of [['issue'], ['issue', 'show', '1'], ['ready']]) {
      const { stdout } = agentx(cwd, args);
      expect(stdout).toContain('Export now');
      expect(stdout).not.toContain('\u001b');
    }
    expect(agentx(cwd, ['issue'], { env: { FORCE_COLOR: '1' } }).stdout).toContain('\u001b[2m#1\u001b[22m');
    expect(agentx(cwd, ['issue'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } }).stdout).not.toContain('\u001b');
  });
});
