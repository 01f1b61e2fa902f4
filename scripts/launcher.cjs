#!/usr/bin/env node
'use strict';
// Starts the program, which is one file. Compiling it takes longer than most commands may take, so V8's compiled form
// is kept beside it. A program that was started without one writes it when it ends, for the Node that ran it. Both
// names hold a hash of the program, because V8 would accept the compiled form of another version of the same length. If
// the folder cannot be written, every start compiles, and a Node with a cache of its own keeps the result there.
const { accessSync, constants, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const module_ = require('node:module');
const { dirname, join } = require('node:path');

const file = join(__dirname, 'program', 'PROGRAM');
const cache = `${file}.${process.version}-${process.arch}.cache`;
const cachedData = compiledForm();
// The build sets AGENTX_COMPILE and so adds what one command after the other has used.
const isToBeKept = (cachedData === undefined || process.env.AGENTX_COMPILE === '1') && isWritable(dirname(file));
if (cachedData === undefined && !isToBeKept) {
  module_.enableCompileCache?.();
  require(file);
} else {
  const { Script } = require('node:vm');
  const script = new Script(module_.wrap(readFileSync(file, 'latin1')), { filename: file, cachedData });
  if (isToBeKept) process.on('exit', () => keepCompiledForm(script));
  const own = { exports: {} };
  const requireThere = module_.createRequire(file);
  script.runInThisContext().call(own.exports, own.exports, requireThere, own, file, dirname(file));
}

function compiledForm() {
  try {
    return readFileSync(cache);
  } catch {
    return undefined;
  }
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** It only makes the next start quicker: if it fails, the command has still done its work. */
function keepCompiledForm(script) {
  const temporary = `${cache}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, script.createCachedData());
    renameSync(temporary, cache);
  } catch {
    rmSync(temporary, { force: true });
  }
}
