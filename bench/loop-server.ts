import { startWireServer } from '../test/wire/server.js';
import { STEPS } from './loop/work.js';

/* The model of all contenders, in a process of its own: it calls a tool in each reply but the last. */

const turns = [
  ...Array.from({ length: STEPS - 1 }, (_, index) => ({
    text: `Step ${index + 1}: I look at the next file.`,
    calls: [{ name: 'read_file', input: { path: `src/file-${index}.ts` } }],
  })),
  { text: 'Everything is read, and the port is 4820.' },
];
const server = await startWireServer({ rules: [{ turns }] });
process.send?.({ url: server.url });
process.on('disconnect', () => process.exit(0));
