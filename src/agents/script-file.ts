import { parse, TomlError } from 'smol-toml';
import * as z from 'zod/mini';
import { AgentXError } from '../protocol/errors.js';
import { parseAgentName } from '../protocol/ids.js';
import { parseWith } from '../protocol/parse.js';
import { REPLY_KEYS, Reply } from '../protocol/reply.js';
import type { Shape } from '../protocol/shape.js';

const WholeNumber = z.int().check(z.gte(0));

/** When a turn is played, how often, and what happens besides the reply. */
const TurnRules = z.looseObject({
  agent: z.exactOptional(z.string()),
  kind: z.exactOptional(z.enum(['work', 'answer'])),
  issue: z.exactOptional(WholeNumber),
  topic: z.exactOptional(z.string()),
  step: z.exactOptional(z.string()),
  round: z.exactOptional(z.int().check(z.gte(1))),
  turn: z.exactOptional(z.int().check(z.gte(1))),
  times: z.exactOptional(WholeNumber),
  delay_ms: z.exactOptional(WholeNumber),
  fail: z.exactOptional(z.string()),
});

export interface ScriptTurn {
  readonly rules: Shape<typeof TurnRules>;
  readonly reply: Reply;
}

const RULES = Object.keys(TurnRules.shape);

/** The turns of a script, or CONFIG_ERROR that names the file, the place and the error. */
export function parseScript(text: string, file: string): readonly ScriptTurn[] {
  try {
    const content = parse(text);
    const unknown = Object.keys(content).filter((key) => key !== 'turns');
    if (unknown.length > 0)
      throw new AgentXError('INVALID_INPUT', `unknown key ${unknown.join(', ')}. Allowed: turns.`);
    const { turns } = parseWith(z.object({ turns: z.array(z.looseObject({})) }), content, 'the script');
    return turns.map(parseTurn);
  } catch (error) {
    if (error instanceof TomlError) throw wrong(`${file}, line ${error.line}`, error.message, error);
    if (error instanceof AgentXError) throw wrong(file, error.message, error);
    throw error;
  }
}

function parseTurn(turn: Readonly<Record<string, unknown>>, index: number): ScriptTurn {
  const what = `turn ${index + 1}`;
  const unknown = Object.keys(turn).filter((key) => !RULES.includes(key) && !REPLY_KEYS.includes(key));
  if (unknown.length > 0) {
    const allowedKeys = [...RULES, ...REPLY_KEYS].join(', ');
    throw new AgentXError(
      'INVALID_INPUT',
      `${what} has the unknown key ${unknown.join(', ')}. Allowed: ${allowedKeys}.`,
    );
  }
  const rules = parseWith(TurnRules, pick(turn, RULES), what);
  const agent = rules.agent === undefined ? {} : { agent: parseAgentName(rules.agent) };
  return { rules: { ...rules, ...agent }, reply: parseWith(Reply, pick(turn, REPLY_KEYS), what) };
}

function pick(turn: Readonly<Record<string, unknown>>, keys: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(turn).filter(([key]) => keys.includes(key)));
}

function wrong(place: string, problem: string, cause: Error): AgentXError {
  return new AgentXError('CONFIG_ERROR', `${place}: ${problem.trim()}`, { where: place }, { cause });
}
