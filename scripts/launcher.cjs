#!/usr/bin/env node
'use strict';
// Starts the program, which is one file. Compiling it takes longer than most commands have to spare, so the build leaves
// V8's compiled form beside it for the Node that made it; any other Node compiles, and keeps the result itself if it can.
// Both names hold a hash of the program: V8 would take the compiled form of another version of the same length for it.
const { readFileSync } = require('node:fs');
const module_ = require('node:module');
const { dirname, join } = require('node:path');

const file = join(__dirname, 'program', 'PROGRAM');
const cachedData = compiledForm();
if (cachedData === undefined) {
  module_.enableCompileCache?.();
  require(file);
} else {
  const { Script } = require('node:vm');
  const script = new Script(module_.wrap(readFileSync(file, 'latin1')), { filename: file, cachedData });
  const own = { exports: {} };
  const requireThere = module_.createRequire(file);
  script.runInThisContext().call(own.exports, own.exports, requireThere, own, file, dirname(file));
}

function compiledForm() {
  try {
    return readFileSync(`${file}.${process.version}-${process.arch}.cache`);
  } catch {
    return undefined;
  }
}
