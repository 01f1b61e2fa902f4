'use strict';
// Talks to one process that carries commands out. It is started with the first command, and again after one that ended it.
const { spawn } = require('node:child_process');
const { randomUUID } = require('node:crypto');
const { join } = require('node:path');

class Caller {
  constructor({ program, patienceMs }) {
    this.program = program;
    this.patienceMs = patienceMs;
    this.host = undefined;
  }

  /** Resolves when the command has ended; with it the process has ended too, if the command wanted that. */
  carryOut(request) {
    this.host ??= startHost(this.program);
    const { child, said } = this.host;
    const mark = `\0${randomUUID()}`;
    said.stdout = [];
    said.stderr = [];
    const ended = this.untilMarked(this.host, mark);
    const bytes = Buffer.from(JSON.stringify({ ...request, mark }));
    const size = Buffer.alloc(4);
    size.writeUInt32BE(bytes.length);
    child.stdin.write(Buffer.concat([size, bytes]));
    return ended;
  }

  untilMarked(asked, mark) {
    const { child, said } = asked;
    const { patienceMs } = this;
    return new Promise((resolve, reject) => {
      let timer;
      const settle = (outcome) => {
        clearTimeout(timer);
        asked.onChange = () => {};
        child.removeAllListeners();
        resolve(outcome);
      };
      if (patienceMs !== undefined) {
        timer = setTimeout(() => {
          this.host = undefined;
          child.kill('SIGKILL');
          reject(new Error(`A command has not ended after ${patienceMs / 1000} s.`));
        }, patienceMs);
      }
      asked.onChange = () => {
        const [stdout, stderr] = [tail(said.stdout), tail(said.stderr)];
        if (!stdout.includes(mark) || !stderr.includes(mark)) return;
        const [out, status] = split(said.stdout, mark);
        const [err] = split(said.stderr, mark);
        settle({ status: Number(status), stdout: out, stderr: err });
      };
      child.on('error', reject);
      child.on('close', (status) => {
        this.host = undefined;
        const [out, own] = split(said.stdout, mark);
        settle({ status: own === undefined ? status : Number(own), stdout: out, stderr: split(said.stderr, mark)[0] });
      });
    });
  }
}

function startHost(program) {
  const child = spawn(process.execPath, [join(__dirname, 'host.cjs'), program], { cwd: '/', env: {} });
  const started = { child, said: { stdout: [], stderr: [] }, onChange: () => {} };
  child.stdin.on('error', () => {}); // It has ended, which is noticed above.
  for (const stream of ['stdout', 'stderr']) {
    child[stream].on('data', (chunk) => {
      started.said[stream].push(chunk);
      started.onChange();
    });
  }
  // Nothing here keeps the process of the tests from ending.
  for (const handle of [child, child.stdin, child.stdout, child.stderr]) handle.unref();
  return started;
}

/** The mark is the last that is written; it may come in two pieces. */
function tail(chunks) {
  let text = '';
  for (let index = chunks.length - 1; index >= 0 && text.length < 100; index--)
    text = chunks[index].toString('latin1').slice(-100) + text;
  return text;
}

function split(chunks, mark) {
  return Buffer.concat(chunks).toString('utf8').split(mark);
}

module.exports = { Caller };
