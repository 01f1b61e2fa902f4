import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './support/temporary-folder.js';
import { until } from './support/until.js';

/*
 * How the editor of the tests gets into the cache of the user. A program named npm stands for the real one, which would
 * fetch hundreds of megabytes: it packs empty packages, and counts how often it is called.
 */

const NPM = `#!/bin/sh
echo "$1" >> "$CALLS"
case "$1" in
  pack)
    for last; do :; done
    if rm "$REFUSES" 2> /dev/null; then echo "npm error code E429" >&2; exit 1; fi
    while [ -e "$WAITS" ]; do sleep 0.05; done
    name=\${last%@*}; version=\${last##*@}
    mkdir -p "box-$name/package/bin" "box-$name/package/lib/vscode/out"
    touch "box-$name/package/bin/node" "box-$name/package/lib/vscode/out/server-main.js"
    tar czf "$name-$version.tgz" -C "box-$name" package && rm -r "box-$name" ;;
  rebuild) mkdir -p node_modules/@vscode/spdlog/build/Release && touch node_modules/@vscode/spdlog/build/Release/spdlog.node ;;
esac
`;

function aMachine() {
  const folder = temporaryFolder();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'npm'), NPM);
  chmodSync(join(bin, 'npm'), 0o755);
  const [calls, refuses, waits] = ['calls', 'refuses', 'waits'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: folder,
    CALLS: calls,
    REFUSES: refuses,
    WAITS: waits,
    AGENTX_RETRY_MS: '1',
  };
  const install = () => {
    const program = `import { installEditor } from ${JSON.stringify(resolve('scripts/editor.mjs'))}; console.log(JSON.stringify(await installEditor()));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { env });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    return { child, ended: once(child, 'close').then(([status]) => ({ status, said: output })) };
  };
  const cache = join(folder, '.cache/agentx');
  const called = () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []);
  const installed = () => (existsSync(cache) ? readdirSync(cache) : []);
  const inside = () => installed().flatMap((name) => readdirSync(join(cache, name)));
  return { install, called, refuses, waits, installed, inside };
}

describe.skipIf(process.platform !== 'linux')('the editor of the tests', () => {
  it('is installed once for several processes that come at the same time, and is there for the next one', async () => {
    const machine = aMachine();
    const both = [machine.install(), machine.install()];
    for (const { status, said } of await Promise.all(both.map(({ ended }) => ended))) expect(status, said).toBe(0);
    expect(machine.installed()).toEqual([expect.stringMatching(/^editor-[\d.]+-[\d.]+$/)]);
    const calls = machine.called().length;
    const { status, said } = await machine.install().ended;
    expect(status, said).toBe(0);
    const { node, server } = JSON.parse(said);
    expect([node, server].filter((path) => !existsSync(path))).toEqual([]);
    expect(machine.called()).toHaveLength(calls);
  });

  it('is tried again when the registry refuses', async () => {
    const machine = aMachine();
    writeFileSync(machine.refuses, '');
    const { status, said } = await machine.install().ended;
    expect(status, said).toBe(0);
    expect(said).toContain('It is tried again.');
    expect(machine.called().filter((call) => call === 'pack')).toHaveLength(3);
  });

  it('leaves nothing of an installation that was killed', async () => {
    const machine = aMachine();
    writeFileSync(machine.waits, '');
    const { child, ended } = machine.install();
    await until(() => machine.called().length === 2);
    child.kill('SIGKILL');
    await ended;
    expect(machine.installed()).toEqual([expect.stringContaining('.building-')]);
    rmSync(machine.waits);
    // Its children were not killed, and write there until they have packed what they were to pack.
    await until(() => machine.inside().length === 2 && machine.inside().every((name) => name.endsWith('.tgz')));
    const { status, said } = await machine.install().ended;
    expect(status, said).toBe(0);
    expect(machine.installed()).toEqual([expect.stringMatching(/^editor-[\d.]+-[\d.]+$/)]);
  });
});
