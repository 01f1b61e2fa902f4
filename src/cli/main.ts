#!/usr/bin/env node
import { createApp, temporaryRoot } from '../app/create-app.js';
import { wantsColour } from '../app/environment.js';
import { AgentXError } from '../protocol/errors.js';
import { runDemo } from './demo.js';
import { terminalPaint } from './terminal.js';

const HELP = `agentx: agents ask instead of guessing.

Usage: agentx demo          two agents settle one ambiguity, in a temporary folder
       agentx --help
`;

async function main(args: readonly string[]): Promise<void> {
  const [command = '--help', ...rest] = args;
  if (command === '--help' || command === '-h' || rest.includes('--help')) {
    process.stdout.write(HELP);
    return;
  }
  if (command !== 'demo' || rest.length > 0) {
    const what = command === 'demo' ? rest.join(' ') : command;
    throw new AgentXError('INVALID_INPUT', `Unknown command '${what}'. Try: agentx --help`, { command: what });
  }
  await runDemo(createApp({ root: temporaryRoot() }), {
    print: (text) => process.stdout.write(`${text}\n`),
    paint: terminalPaint(wantsColour(process.stdout)),
    pauseMs: process.stdout.isTTY ? 900 : 0,
  });
}

// Whoever reads us through a pipe may have seen enough (`| head`): that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

main(process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof AgentXError)) throw error;
  process.stderr.write(`error: ${error.message}\n`);
  process.exitCode = error.exitCode;
});
