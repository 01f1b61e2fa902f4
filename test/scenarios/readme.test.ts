import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { agentxCommand, agentxEnvironment, PATIENCE_MS } from './support/agentx.js';

const readme = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8');
const section = /^## In your repository\n([\s\S]*?)^## /m.exec(readme)?.[1] ?? '';
const blocks = [...section.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
  language,
  text,
}));

/** The commands of a block, without the explanations beside them. */
function commandsOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.split(/ {3,}/)[0]?.trim() ?? '')
    .filter((command) => command !== '');
}

describe('the setup that the README describes', () => {
  it('can be followed word by word in a new repository [CL-1/8]', () => {
    const commands = commandsOf(blocks.find(({ text }) => text.startsWith('agentx init'))?.text ?? '');
    const settings = blocks.find(({ language }) => language === 'toml')?.text ?? '';
    expect(commands.length).toBeGreaterThan(5);
    const cwd = temporaryFolder();
    const bin = join(cwd, 'bin');
    mkdirSync(bin);
    mkdirSync(join(cwd, 'home'));
    symlinkSync(agentxCommand[1], join(bin, 'agentx'));
    writeFileSync(join(cwd, 'engineer.mjs'), "process.stdout.write('Done.');");
    // The setup writes files of the user.
    const env = { ...agentxEnvironment(), HOME: join(cwd, 'home'), EDITOR: 'true', PATH: `${bin}:${process.env.PATH}` };
    for (const command of commands) {
      const { status, stderr } = spawnSync('bash', ['-c', command], {
        cwd,
        env,
        encoding: 'utf8',
        timeout: PATIENCE_MS,
      });
      expect([command, [0, 3].includes(status ?? -1), status === 1 ? stderr : '']).toEqual([command, true, '']);
      if (command.startsWith('$EDITOR')) editSettings(join(cwd, command.split(' ')[1] ?? ''), settings);
    }
  });
});

/**
 * The settings of the README, with every agent that they do not name a person, and a person in place of the model, for
 * which a test has no key.
 */
function editSettings(path: string, settings: string): void {
  const others = ['ux-designer', 'architect', 'reviewer']
    .filter((agent) => !settings.includes(`[agents.${agent}]`))
    .map((agent) => `[agents.${agent}]\nrunner = "human"\n`);
  const withoutModel = settings.replace(/^runner = "model".*\nmodel = .*$/m, 'runner = "human"');
  writeFileSync(path, `${readFileSync(path, 'utf8')}\n${withoutModel}\n${others.join('\n')}`);
}
