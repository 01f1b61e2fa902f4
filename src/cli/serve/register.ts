import type { Register } from '../command-line.js';

export const registerServe: Register = (program, run) => {
  const serve = program
    .command('serve')
    .description('serve the inbox and the board to browsers and programs')
    .option('--port <port>', 'where to listen; 0 takes any free one (otherwise [server] port in config.toml)')
    .option('--host <host>', 'the address to listen on', '127.0.0.1')
    .option('--allow-remote', 'listen on an address that others can reach; put TLS in front')
    .option('--allow-host <host...>', 'a name, with its port, under which a proxy in front is called')
    .option('--no-run', 'start no agents: leave runs whose questions have ended to agentx run')
    .addHelpText(
      'after',
      `
Examples:
  agentx serve               prints a link that logs your browser in
  agentx serve --port 0      any free port
  curl -H "Authorization: Bearer $(cat .agentx/state/server-token)" \\
    http://127.0.0.1:4820/api/v1/openapi.json

A run that paused for people goes on here when what it waits for has ended, answered or not.
Stop it with Ctrl-C. Several servers and commands may work on one folder at once.`,
    );
  run(serve, async (line) => (await import('./serve.js')).serve(line, serve.opts()));
};
