/*
 * How long a call may take before the client gives up on it. We measured each client. The clients opencode and Continue
 * cut a call at 60 s, Copilot at 180 s, codex and Qwen at 300 s, and Gemini at 600 s. Claude Code does not cut it
 * before 1000 s. Progress reports make some of them wait longer, but not all, so they are sent and not relied upon.
 */
const SECONDS: readonly (readonly [RegExp, number])[] = [
  [/^claude-code$/, 300],
  [/^codex-mcp-client$/, 270],
  [/^gemini-cli-mcp-client/, 300],
  [/^qwen-cli-mcp-client/, 270],
  [/^copilot-cli$/, 150],
];

/** For every other client, and the default of clients' own libraries with some time left. */
const DEFAULT_SECONDS = 45;

export const MAX_WAIT_SECONDS = 3600;

/** The longest that a call of this client may take. `configuredSeconds` is what the person who installed us says. */
export function patienceWith(client: string | undefined, configuredSeconds?: number): number {
  return configuredSeconds ?? SECONDS.find(([name]) => name.test(client ?? ''))?.[1] ?? DEFAULT_SECONDS;
}
