#!/usr/bin/env node
'use strict';
// Starts the program, which is one file. Compiling it takes longer than most commands may take, so V8's compiled form
// is kept beside it. A program that was started without one writes it when it ends, for the Node that ran it. Both
// names hold a hash of the program, because V8 would accept the compiled form of another version of the same length. If
// the folder cannot be written, every start compiles, and a Node with a cache of its own keeps the result there.
const { accessSync, constants, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const module_ = require('node:module');
const { join } = require('node:path');

const folder = join(__dirname, 'program');
const loaded = new Map();
load('PROGRAM');

/** What the program loads from its own folder is compiled and kept in the same way. */
function load(name) {
  if (loaded.has(name)) return loaded.get(name).exports;
  const file = join(folder, name);
  const ownModule = { exports: {} };
  const cache = `${file}.${process.version}-${process.arch}.cache`;
  const cachedData = compiledForm(cache);
  // The build sets AGENTX_COMPILE and so adds what one command after the other has used.
  const isToBeKept = (cachedData === undefined || process.env.AGENTX_COMPILE === '1') && isWritable(folder);
  const requireThere = module_.createRequire(file);
  if (cachedData === undefined && !isToBeKept) {
    module_.enableCompileCache?.();
    ownModule.exports = requireThere(file);
    loaded.set(name, ownModule);
    return ownModule.exports;
  }
  const { Script } = require('node:vm');
  const script = new Script(module_.wrap(readFileSync(file, 'latin1')), { filename: file, cachedData });
  if (isToBeKept) process.on('exit', () => keepCompiledForm(script, cache));
  const requireOrLoad = (path) => (path.startsWith('./') ? load(path.slice(2)) : requireThere(path));
  // Not before it could be read: a later try may find it readable.
  loaded.set(name, ownModule);
  script.runInThisContext().call(ownModule.exports, ownModule.exports, requireOrLoad, ownModule, file, folder);
  return ownModule.exports;
}

function compiledForm(cache) {
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
function keepCompiledForm(script, cache) {
  const temporary = `${cache}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, script.createCachedData());
    renameSync(temporary, cache);
  } catch {
    rmSync(temporary, { force: true });
  }
}
