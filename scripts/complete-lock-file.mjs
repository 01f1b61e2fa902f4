// Names in package-lock.json the binaries of every platform that a locked package asks for: node
// scripts/complete-lock-file.mjs
//
// npm writes only those entries that the present registry could describe. `npm ci` refuses a lock file in which an
// entry is missing, although it would never install the binary of another platform. Run this script after every change
// of the lock file; test/package.test.ts fails when an entry is missing.
import { readFileSync, writeFileSync } from 'node:fs';

const OPERATING_SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const PROCESSORS = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

const file = process.argv[2] ?? 'package-lock.json';
const lock = JSON.parse(readFileSync(file, 'utf8'));
for (const owner of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(owner.optionalDependencies ?? {})) {
    const path = `node_modules/${name}`;
    if (lock.packages[path] !== undefined || !/^\d/.test(version)) continue;
    lock.packages[path] = { version, ...platformOf(name), ...(owner.dev ? { dev: true } : {}), optional: true };
  }
}
const { '': root, ...others } = lock.packages;
const sorted = Object.fromEntries(Object.entries(others).sort(([a], [b]) => a.localeCompare(b, 'en')));
writeFileSync(file, `${JSON.stringify({ ...lock, packages: { '': root, ...sorted } }, null, 2)}\n`);

/** A binary of an unknown platform would be installed everywhere, so a name that does not say it ends the program. */
function platformOf(name) {
  const words = name.split(/[/-]/);
  const os = OPERATING_SYSTEMS.filter((system) => words.includes(system));
  const cpu = PROCESSORS.filter((processor) => words.includes(processor));
  if (cpu.length === 0) throw new Error(`${name}: its name does not say for which processor it is.`);
  const libc = words.includes('musl') ? { libc: ['musl'] } : words.includes('gnu') ? { libc: ['glibc'] } : {};
  return { cpu, ...(os.length === 0 ? {} : { os }), ...(os.includes('linux') ? libc : {}) };
}
