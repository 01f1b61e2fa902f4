'use strict';
// Talks to the process that carries commands out, so that the thread of the tests can wait without an event loop.
const { spawn } = require('node:child_process');
const { randomUUID } = require('node:crypto');
const { join } = require('node:path');
const { workerData } = require('node:worker_threads');

const { port, signal, program, patienceMs } = workerData;
const wake = new Int32Array(signal);
let host;

port.on('message', async (request) => {
  port.postMessage(await carryOut(request).catch((error) => ({ error: error.message })));
  Atomics.store(wake, 0, 1);
  Atomics.notify(wake, 0);
});

async function carryOut(request) {
  host ??= startHost();
  const { child, said } = host;
  const mark = `\0${randomUUID()}`;
  said.stdout = [];
  said.stderr = [];
  const ended = untilMarked(host, mark);
  const bytes = Buffer.from(JSON.stringify({ ...request, mark }));
  const size = Buffer.alloc(4);
  size.writeUInt32BE(bytes.length);
  child.stdin.write(Buffer.concat([size, bytes]));
  return ended;
}

function startHost() {
  const child = spawn(process.execPath, [join(__dirname, 'host.cjs'), program], { cwd: '/', env: {} });
  const started = { child, said: { stdout: [], stderr: [] }, onChange: () => {} };
  child.stdin.on('error', () => {}); // It has ended, which is noticed below.
  for (const stream of ['stdout', 'stderr']) {
    child[stream].on('data', (chunk) => {
      started.said[stream].push(chunk);
      started.onChange();
    });
  }
  // Nothing that this thread does keeps the process of the tests from ending.
  for (const handle of [child, child.stdin, child.stdout, child.stderr]) handle.unref();
  return started;
}

/** Resolves when the command has ended; with it the process has ended too, if the command wanted that. */
function untilMarked(asked, mark) {
  const { child, said } = asked;
  return new Promise((resolve, reject) => {
    const settle = (outcome) => {
      clearTimeout(timer);
      asked.onChange = () => {};
      child.removeAllListeners();
      resolve(outcome);
    };
    const timer = setTimeout(() => {
      host = undefined;
      child.kill('SIGKILL');
      reject(new Error(`A command has not ended after ${patienceMs / 1000} s.`));
    }, patienceMs);
    asked.onChange = () => {
      const [stdout, stderr] = [tail(said.stdout), tail(said.stderr)];
      if (!stdout.includes(mark) || !stderr.includes(mark)) return;
      const [out, status] = split(said.stdout, mark);
      const [err] = split(said.stderr, mark);
      settle({ status: Number(status), stdout: out, stderr: err });
    };
    child.on('error', reject);
    child.on('close', (status) => {
      host = undefined;
      const [out, own] = split(said.stdout, mark);
      settle({ status: own === undefined ? status : Number(own), stdout: out, stderr: split(said.stderr, mark)[0] });
    });
  });
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
