/* What a message in plain words asks for. */

const NUMBERED = /(?:^|[^\w/&-])(?:#|(?:issue|task|story|bug)\s+#?)(\d{1,9})\b/i;
const ONLY_NUMBER = /^(?:(?:run|resume|start|implement|continue|go on with)\s+)?#?(\d{1,9})[.!]?$/i;
const GO_ON =
  /^(?:please\s+)?(?:resume|continue|go on|carry on|run(?: it)?|go ahead|start)(?: with it)?(?:,? please)?[.!]?$/i;
const VERB = /^(?:please\s+)?(?:run|resume|implement|build|start|fix|do|continue|go on with|work on|carry out)\b/i;

/** A command that stands in the text, because the editor had put `@agentx` there before it was typed again. */
export function typedCommand(
  text: string,
  commands: readonly string[],
): { readonly command?: string; readonly prompt: string } {
  const prompt = text.trim().replace(/^(?:@agentx\b\s*)+/i, '');
  const [, command = '', rest = ''] = /^\/(\w+)\s*([\s\S]*)$/.exec(prompt) ?? [];
  return commands.includes(command) ? { command, prompt: rest } : { prompt };
}

/** The issue that a message names: `#42`, `issue 42`, or nothing but the number. */
export function issueIn(text: string): number | undefined {
  const [, number] = ONLY_NUMBER.exec(text.trim()) ?? NUMBERED.exec(text) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** Nothing but the wish to go on with what was under way. */
export function wantsToGoOn(text: string): boolean {
  return text.trim() === '' || GO_ON.test(text.trim());
}

/** Whether a message below an open question is a request of its own: it wants another issue carried out. */
export function isOtherRequest(text: string, questionIssue: number): boolean {
  const issue = issueIn(text);
  return issue !== undefined && issue !== questionIssue && VERB.test(text.trim());
}
