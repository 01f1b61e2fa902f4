import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { agentx, agentxCommand, agentxEnvironment, aRepository } from './support/agentx.js';
import { openInbox } from './support/inbox.js';
import { KEYS, onTerminal } from './support/terminal.js';

/** How each shell prints its offers for the last of the given words. */
const SHELLS = {
  bash: `source ./script
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
    complete -p agentx >/dev/null && _agentx && printf '%s\\n' "\${COMPREPLY[@]}"`,
  // Replaces the function that draws the menu: it prints its words.
  zsh: `compdef() { }
    _describe() {
      local item
      while [[ $1 == -* ]]; do shift; done
      for item in "\${(@P)2}"; do [[ \${(L)item} == \${(L)PREFIX}* ]] && print -r -- "\${item%%:*}"; done
    }
    _files() { }
    compset() { PREFIX="\${PREFIX#*=}" }
    source ./script
    words=("$@"); CURRENT=$#; PREFIX="\${@[-1]}"
    _agentx`,
  fish: `source ./script
    for line in (complete -C (string join ' ' -- $argv)); string split -f 1 \\t -- $line; end`,
};
type Shell = keyof typeof SHELLS;

const isThere = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0;

function completed(shell: Shell, ...words: readonly string[]): readonly string[] {
  return completedIn(temporaryFolder(), shell, ...words);
}

/** In a folder, with the program on the path. */
function completedIn(cwd: string, shell: Shell, ...words: readonly string[]): readonly string[] {
  mkdirSync(join(cwd, 'bin'), { recursive: true });
  writeFileSync(join(cwd, 'bin/agentx'), `#!/bin/sh\nexec ${agentxCommand.join(' ')} "$@"\n`, { mode: 0o755 });
  const env = agentxEnvironment();
  writeFileSync(join(cwd, 'script'), agentx(cwd, ['completion', shell]).stdout);
  const quiet = { bash: ['--norc'], zsh: ['-f'], fish: ['--no-config'] }[shell];
  const name = shell === 'fish' ? [] : [shell];
  const args = [...quiet, '-c', SHELLS[shell], ...name, ...words];
  const { stdout, stderr } = spawnSync(shell, args, {
    cwd,
    encoding: 'utf8',
    env: { ...env, PATH: `${join(cwd, 'bin')}:${env.PATH}` },
  });
  expect(stderr).toBe('');
  return stdout
    .split('\n')
    .filter((word) => word !== '')
    .toSorted();
}

describe.each(['bash', 'zsh', 'fish'] as const)('completion in a real %s', (shell) => {
  it.skipIf(!isThere(shell))('offers commands, their verbs, their options and what they choose from', () => {
    expect(completed(shell, 'agentx', 'iss')).toEqual(['issue']);
    expect(completed(shell, 'agentx', 'issue', 'c')).toEqual(['close', 'comment', 'create']);
    expect(completed(shell, 'agentx', '--json', 'issue', 'create', '--ti')).toEqual(['--title']);
    expect(completed(shell, 'agentx', 'clarify', 'show', '--no')).toEqual(['--no-retry']);
    expect(completed(shell, 'agentx', 'completion', '')).toEqual(['bash', 'fish', 'zsh']);
  });

  it.skipIf(!isThere(shell))('offers no word where a value belongs, and nothing that help is silent about', () => {
    expect(completed(shell, 'agentx', 'ask', '--topic', 'is')).toEqual([]);
    expect(completed(shell, 'agentx', 'ask', '-q', 'is')).toEqual([]);
    expect(completed(shell, 'agentx', 'clarify', 'r')).toEqual(['resolve']);
  });
});

const OPTIONS = [
  { id: 'a', label: '30 days' },
  { id: 'b', label: '1 year' },
];

/** Two issues, one of them closed; a clarification of each kind; a question with two options. */
async function aBusyFolder() {
  const cwd = await aRepository({
    issues: [{ title: 'Health', labels: ['type:feature'] }, { title: 'Login' }, { title: 'Old' }],
    config: '[agents.architect]\nrunner = "human"\n[agents.gardener]\nrunner = "human"\n',
    files: {
      '.agentx/workflows/hotfix.toml': '',
      '.agentx/workflows/$(touch hacked).toml': '',
    },
  });
  const ask = ['ask', '--issue', '1', '--from', 'engineer', '--to', 'architect', '--topic', "It's: a $(topic)"];
  agentx(cwd, [...ask, '-q', 'First?']);
  agentx(cwd, [...ask, '-q', 'Second?']);
  agentx(cwd, ['clarify', 'resolve', 'clr-1-1', '-m', 'Yes.']);
  agentx(cwd, ['issue', 'close', '3']);
  const parts = [{ id: 'q1', text: 'How long?', createdAt: '2026-02-26T10:00:00.000Z', options: OPTIONS }];
  const { id } = await (await openInbox(cwd)).ask({ parts });
  return { cwd, id };
}

describe.each(['bash', 'zsh', 'fish'] as const)('completion in a real %s', (shell) => {
  it.skipIf(!isThere(shell))('knows issues, ids, agents and workflows of the folder', async () => {
    const { cwd, id } = await aBusyFolder();
    const offered = (...words: readonly string[]) => completedIn(cwd, shell, 'agentx', ...words);
    expect(offered('run', '')).toEqual(['1', '2']);
    expect(offered('run', '1', '')).toEqual(['1', '2']);
    expect(offered('issue', 'show', '')).toEqual(['1', '2', '3']);
    expect(offered('clarify', '--issue', '')).toEqual(['1', '2', '3']);
    expect(offered('clarify', 'show', 'CLR-1-')).toEqual(['CLR-1-001', 'CLR-1-002']);
    expect(offered('clarify', 'show', 'clr-1-')).toEqual(['CLR-1-001', 'CLR-1-002']);
    expect(offered('--quiet', 'clarify', 'resolve', '--no-retry', '')).toEqual(['CLR-1-002']);
    expect(offered('inbox', 'answer', '')).toContain(id);
    expect(offered('inbox', 'answer', id, '--option', '')).toEqual(['a', 'b']);
    expect(offered('inbox', 'show', 'oq-')).toHaveLength(3);
    expect(offered('ask', '--from', 'gar')).toEqual(['gardener']);
    expect(offered('state', 'set', 'engin')).toEqual(['engineer']);
    expect(offered('state', 'set', 'engineer', '')).toEqual(['done', 'idle', 'stuck', 'working']);
    expect(offered('hook', 'start', 'engineer', '')).toEqual(['1', '2']);
    // A file may have any name: what a shell would carry out is not offered.
    expect(offered('run', '1', '--workflow', '')).toEqual(['bug', 'epic', 'feature', 'hotfix', 'story']);
    expect(existsSync(join(cwd, 'hacked'))).toBe(false);
  });

  it.skipIf(!isThere(shell))('takes a value in one word with its option, too', async () => {
    const { cwd, id } = await aBusyFolder();
    /** bash treats the sign as a word of its own. */
    const joined = (option: string, value: string) =>
      shell === 'bash' ? [option, '=', value].filter((word) => word !== '') : [`${option}=${value}`];
    const offered = (...words: readonly string[]) =>
      completedIn(cwd, shell, 'agentx', ...words).map((word) => word.replace(/^--\w+=/, ''));
    expect(offered('run', '1', ...joined('--workflow', 'st'))).toEqual(['story']);
    expect(offered('ask', ...joined('--from', 'gar'))).toEqual(['gardener']);
    expect(offered('inbox', 'answer', id, ...joined('--option', ''))).toEqual(['a', 'b']);
    expect(completed(shell, 'agentx', ...joined('--root', cwd), 'run', '')).toEqual(['1', '2']);
  });

  it.skipIf(!isThere(shell))('knows what there is help for', () => {
    expect(completed(shell, 'agentx', 'help', 'in')).toEqual(['inbox', 'inbox.md', 'init']);
    expect(completed(shell, 'agentx', 'help', 'conf')).toEqual(['configuration']);
  });

  it.skipIf(!isThere(shell))('looks where --root says, and offers nothing where there is no folder', async () => {
    const { cwd } = await aBusyFolder();
    expect(completed(shell, 'agentx', '--root', cwd, 'run', '')).toEqual(['1', '2']);
    expect(completed(shell, 'agentx', 'run', '')).toEqual([]);
  });
});

describe('completion of files', () => {
  it.skipIf(!isThere('fish'))('is offered by fish where a file belongs, and nowhere else', async () => {
    const { cwd, id } = await aBusyFolder();
    writeFileSync(join(cwd, 'zz.md'), 'Yes.');
    const offered = (...words: readonly string[]) => completedIn(cwd, 'fish', 'agentx', ...words);
    expect(offered('issue', 'comment', '1', '-F', 'zz')).toEqual(['zz.md']);
    expect(offered('hook', 'finish', 'engineer', '1', '--transcript', 'zz')).toEqual(['zz.md']);
    for (const words of [
      ['ready'],
      ['inbox', 'answer', id],
      ['clarify', 'show', 'CLR-1-001'],
      ['memory', 'search', 'x'],
    ])
      expect(offered(...words, 'zz'), words.join(' ')).toEqual([]);
  });

  it('quotes them in bash as bash does, whatever they are called, and offers none where ids belong', async () => {
    const { cwd } = await aBusyFolder();
    for (const name of ['a b.md', 'z$(touch hacked).md', 'oq-zz.md']) writeFileSync(join(cwd, name), 'Yes.');
    writeFileSync(join(cwd, 'script'), agentx(cwd, ['completion', 'bash']).stdout);
    const name = `agentx() { ${agentxCommand.join(' ')} "$@"; }`;
    writeFileSync(join(cwd, 'rc'), `PS1='ready> '\n${name}\nsource ./script\n`);
    const terminal = onTerminal(cwd, ['--rcfile', 'rc', '-i'], { program: ['bash'], columns: 120 });
    await terminal.until('ready>');
    const tab = '\t';
    terminal.type(`agentx issue comment 1 -F a${tab}${KEYS.enter}`);
    await terminal.until('-F a\\ b.md');
    await terminal.until('#1 Health: 1 comment');
    terminal.type(`agentx issue comment 1 -F z${tab}${KEYS.enter}`);
    await terminal.until('-F z\\$\\(touch\\ hacked\\).md');
    await terminal.until('#1 Health: 2 comments');
    terminal.type(`agentx inbox show oq-zz${tab}x${KEYS.enter}`);
    await terminal.until('There is no question oq-zzx.');
    terminal.type('exit\r');
    expect(await terminal.ended).not.toBeNull();
    expect(agentx(cwd, ['issue', 'show', '1']).stdout.match(/Yes\./g)).toHaveLength(2);
    expect(existsSync(join(cwd, 'hacked'))).toBe(false);
  });
});

describe('the script of a shell', () => {
  it.each(['bash', 'zsh', 'fish'])('is there for %s and knows every place, with quotes that close', (shell) => {
    const { status, stdout } = agentx(temporaryFolder(), ['completion', shell]);
    expect(status).toBe(0);
    for (const path of ['/issue/create', '/state/set', '/hook/start', '/clarify/follow-up']) {
      expect(stdout).toContain(path);
    }
    expect(stdout).not.toContain('/clarify/route');
    for (const line of stdout.split('\n')) expect(line.replace(/\\'|'\\''/g, '').split("'").length % 2, line).toBe(1);
  });

  it('is refused for a shell that there is none for', () => {
    const { status, stderr } = agentx(temporaryFolder(), ['completion', 'tcsh']);
    expect(status).toBe(2);
    expect(stderr).toContain('bash, zsh, fish');
  });
});
