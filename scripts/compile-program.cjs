'use strict';
// Runs the program once and writes V8's compiled form of all that ran so far: node compile-program.cjs PROGRAM CACHE ...
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { createRequire, wrap } = require('node:module');
const { dirname } = require('node:path');
const { Script } = require('node:vm');

const [node, self, file, cache, ...args] = process.argv;
process.argv = [node, self, ...args];
const cachedData = existsSync(cache) ? readFileSync(cache) : undefined;
// As the launcher has it: the same text, or the compiled form would not be accepted.
const script = new Script(wrap(readFileSync(file, 'latin1')), { filename: file, cachedData });
process.on('exit', () => {
  const temporary = `${cache}.${process.pid}.tmp`;
  writeFileSync(temporary, script.createCachedData());
  renameSync(temporary, cache);
});
const own = { exports: {} };
script.runInThisContext().call(own.exports, own.exports, createRequire(file), own, file, dirname(file));
