'use strict';
// Runs one command of the program after the other in one process, because starting Node takes longer than most commands.
// Each command gets the program evaluated anew, with its own arguments, environment, folder and input. It ends as in a
// process of its own: when nothing is left to wait for, its exit listeners are called. A command that ends the process
// ends this one.
const { readdirSync, readFileSync, readSync } = require('node:fs');
const { globalAgent } = require('node:http');
const module_ = require('node:module');
const { dirname, join, resolve } = require('node:path');
const { Readable } = require('node:stream');
const { Script } = require('node:vm');

const launcher = resolve(process.argv[2]);
const folder = join(dirname(launcher), 'program');
const [name] = /agentx-\w+\.cjs/.exec(readFileSync(launcher.replace(/\.js$/, '.cjs'), 'utf8'));
const file = join(folder, name);
const compiled = readdirSync(folder).find((other) => other === `${name}.${process.version}-${process.arch}.cache`);
const script = new Script(module_.wrap(readFileSync(file, 'latin1')), {
  filename: file,
  ...(compiled === undefined ? {} : { cachedData: readFileSync(join(folder, compiled)) }),
});
const requireThere = module_.createRequire(file);
const emitters = [process, process.stdout, process.stderr];
const timers = new Set();
/** Where Node keeps what sends the requests of fetch. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');
for (const start of ['setTimeout', 'setInterval']) {
  const original = globalThis[start];
  globalThis[start] = Object.assign((...args) => noted(original(...args)), original);
}

let running;
process.on('beforeExit', () => {
  if (running !== undefined) finish();
});
next();

function next() {
  const request = nextRequest();
  if (request === undefined) process.exit();
  running = { mark: request.mark, listeners: emitters.map(listenersOf) };
  process.argv = [process.execPath, launcher, ...request.args];
  process.chdir(request.cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, request.env);
  process.exitCode = undefined;
  const stdin = Readable.from(request.input === '' ? [] : [Buffer.from(request.input)]);
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
  // The end of a command that waits for nothing is noticed too: the event loop has to turn for that.
  setImmediate(() => {});
  const own = { exports: {} };
  script.runInThisContext().call(own.exports, own.exports, requireThere, own, file, folder);
}

function finish() {
  const { mark, listeners } = running;
  running = undefined;
  process.emit('exit', process.exitCode ?? 0);
  const status = process.exitCode ?? 0;
  for (const [index, emitter] of emitters.entries()) removeNew(emitter, listeners[index]);
  for (const timer of timers) clearTimeout(timer);
  timers.clear();
  closeConnections();
  process.chdir('/');
  process.stdout.write(`${mark} ${status}\n`, () => process.stderr.write(`${mark}\n`, next));
}

/** Those that fetch and http keep open for the next request: the next command begins with none. */
function closeConnections() {
  const dispatcher = globalThis[DISPATCHER];
  if (dispatcher !== undefined) {
    globalThis[DISPATCHER] = new dispatcher.constructor();
    dispatcher.destroy();
  }
  globalAgent.destroy();
}

function listenersOf(emitter) {
  return new Map(emitter.eventNames().map((event) => [event, emitter.rawListeners(event)]));
}

function removeNew(emitter, before) {
  for (const event of emitter.eventNames()) {
    for (const listener of emitter.rawListeners(event)) {
      if (!before.get(event)?.includes(listener)) emitter.removeListener(event, listener);
    }
  }
}

function noted(timer) {
  timers.add(timer);
  return timer;
}

/** Blocks until one comes. None comes when the process of the tests has ended. */
function nextRequest() {
  const size = read(4);
  const text = size && read(size.readUInt32BE());
  return text && JSON.parse(text.toString('utf8'));
}

function read(length) {
  const bytes = Buffer.alloc(length);
  for (let done = 0; done < length; ) {
    const got = readSync(0, bytes, done, length - done, null);
    if (got === 0) return undefined;
    done += got;
  }
  return bytes;
}
