'use strict';
// Has commands carried out, so that the thread of the tests can wait without an event loop.
const { workerData } = require('node:worker_threads');
const { Caller } = require('./caller.cjs');

const { port, signal, program, patienceMs } = workerData;
const wake = new Int32Array(signal);
const caller = new Caller({ program, patienceMs });

port.on('message', async (request) => {
  port.postMessage(await caller.carryOut(request).catch((error) => ({ error: error.message })));
  Atomics.store(wake, 0, 1);
  Atomics.notify(wake, 0);
});
