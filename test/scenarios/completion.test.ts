import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { agentx } from './support/agentx.js';

/** How each shell says what it offers for the last of the words that it is given. */
const SHELLS = {
  bash: `source ./script
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
    complete -p agentx >/dev/null && _agentx && printf '%s\\n' "\${COMPREPLY[@]}"`,
  // What draws the menu stands in for itself: it prints the words that it is given.
  zsh: `compdef() { }
    _describe() { local item; for item in "\${(@P)@[-1]}"; do [[ $item == $PREFIX* ]] && print -r -- "\${item%%:*}"; done }
    _files() { }
    source ./script
    words=("$@"); CURRENT=$#; PREFIX="\${@[-1]}"
    _agentx`,
  fish: `source ./script
    for line in (complete -C (string join ' ' -- $argv)); string split -f 1 \\t -- $line; end`,
};
type Shell = keyof typeof SHELLS;

const isThere = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0;

function completed(shell: Shell, ...words: readonly string[]): readonly string[] {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'script'), agentx(cwd, ['completion', shell]).stdout);
  const quiet = { bash: ['--norc'], zsh: ['-f'], fish: ['--no-config'] }[shell];
  const name = shell === 'fish' ? [] : [shell];
  const args = [...quiet, '-c', SHELLS[shell], ...name, ...words];
  const { stdout, stderr } = spawnSync(shell, args, { cwd, encoding: 'utf8' });
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
