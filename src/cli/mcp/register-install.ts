import { Argument, type Command, Option } from 'commander';
import { CLIENT_NAMES, SCOPES } from '../../mcp/install/clients.js';
import type { Register } from '../command-line.js';

const INSTALL_EXAMPLES = `
It adds a server named agentx to the client's settings, with the timeouts that waiting for a person
needs, and a marked block to the file of instructions that the client reads. Everything else in these
files stays as it is. It shows what it changes first; a second time it changes nothing.

Examples:
  agentx mcp install claude                          for you, in every repository
  agentx mcp install codex --scope project           in files of this repository
  agentx mcp install gemini --print                  only show what would be written
  agentx mcp install claude --hooks                  also report when its sessions start and end
  agentx mcp install cursor --uninstall              take all of it out again`;

const DOCTOR_EXAMPLES = `
It starts exactly what the client's settings say, in the environment that the client gives to a
server, and waits until it answers and lists its tools.

Examples:
  agentx mcp doctor                                  every client
  agentx mcp doctor claude
  agentx mcp doctor --json                           for scripts: {clients, problems}`;

/** The verbs that bring the server to a client. */
export function registerInstall(mcp: Command, run: Parameters<Register>[1]): void {
  const install = mcp
    .command('install')
    .description('let a client start this server, and tell its agent when to ask')
    .addArgument(new Argument('<client>', 'the program that runs the agent').choices(CLIENT_NAMES))
    .addOption(
      new Option(
        '--scope <scope>',
        'user: your own files; project: those of this repository (default: project for cursor and vscode, else user)',
      ).choices(SCOPES),
    )
    .option('--hooks', 'also report the start and the end of sessions, where the client has hooks')
    .option('--agent <name>', 'the agent as whom the hooks report', 'engineer')
    .option('--no-approve', 'leave it to the client to ask you before each call of our tools')
    .option('--uninstall', 'remove what this command wrote')
    .option('--print', 'show what would be written, and write nothing')
    .option('-y, --yes', 'write without asking, for scripts')
    .addHelpText('after', INSTALL_EXAMPLES);
  run(install, async (line, client = '') =>
    (await import('./install.js')).install(line, client, install.optsWithGlobals()),
  );

  const doctor = mcp
    .command('doctor')
    .description('start what the settings of a client say, and see whether it answers')
    .addArgument(new Argument('[client]', 'otherwise every client').choices(CLIENT_NAMES))
    .addHelpText('after', DOCTOR_EXAMPLES);
  run(doctor, async (line, client) =>
    (await import('./doctor.js')).doctor(line, client, doctor.optsWithGlobals().root),
  );
}
