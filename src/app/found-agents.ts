import { AGENT_CLIS } from '../agents/cli/agent-clis.js';
import { isProgram, type ProgramPlace } from '../agents/find-program.js';
import type { AgentCliName } from '../protocol/config.js';

/** The programs, keys and models of this machine that could do the work of agents. */
export interface FoundAgents {
  /** Installed, in the order in which they are proposed. */
  readonly clis: readonly AgentCliName[];
  /** Models that can be reached with a key of the environment, and the variable that holds it. */
  readonly keys: readonly { readonly model: string; readonly variable: string }[];
  /** The models of an Ollama that runs here. */
  readonly ollama: readonly string[];
}

export const OLLAMA_URL = 'http://127.0.0.1:11434';

/** A model of each provider that its own pages recommend for code; the user changes it where it is written. */
const KEYS = [
  { variable: 'ANTHROPIC_API_KEY', model: 'anthropic/claude-sonnet-4-5' },
  { variable: 'OPENAI_API_KEY', model: 'openai/gpt-5' },
  { variable: 'GEMINI_API_KEY', model: 'google/gemini-2.5-pro' },
  { variable: 'GOOGLE_GENERATIVE_AI_API_KEY', model: 'google/gemini-2.5-pro' },
];

export async function findAgents(place: ProgramPlace): Promise<FoundAgents> {
  const clis = Object.values(AGENT_CLIS).filter(({ program }) => isProgram(program, place));
  const keys = KEYS.filter(({ variable }) => place.env[variable]?.trim());
  return { clis: clis.map(({ name }) => name), keys, ollama: await ollamaModels() };
}

async function ollamaModels(): Promise<readonly string[]> {
  const answer = await lookAt(`${OLLAMA_URL}/v1/models`);
  return typeof answer === 'string' ? [] : answer;
}

const PATIENCE_MS = 1500;
export const LATE = 'it does not answer';
export const NOTHING = 'nothing answers there';

/** The names of a server's models, or why it cannot be reached. */
export async function lookAt(url: string, key?: string): Promise<readonly string[] | string> {
  try {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'error' });
    if (!response.ok) return `it answers with status ${response.status}`;
    return namesIn(await response.json());
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    return isLate ? LATE : NOTHING;
  }
}

function namesIn(body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null || !('data' in body) || !Array.isArray(body.data)) return [];
  return body.data.flatMap((one: unknown) =>
    typeof one === 'object' && one !== null && 'id' in one && typeof one.id === 'string' ? [one.id] : [],
  );
}

/** The lines of a table of config.toml for the first of them; undefined if there is none. */
export function proposalOf({ clis, keys, ollama }: FoundAgents): Proposal | undefined {
  const [cli] = clis;
  if (cli !== undefined) return { lines: [`runner = "${cli}"`], reason: `${AGENT_CLIS[cli].program} is on your PATH` };
  const [key] = keys;
  if (key !== undefined) {
    return { lines: ['runner = "model"', `model = "${key.model}"`], reason: `${key.variable} is set` };
  }
  const [model] = ollama;
  if (model === undefined) return undefined;
  const lines = [
    'runner = "model"',
    `model = ${JSON.stringify(`compatible/${model}`)}`,
    `base_url = "${OLLAMA_URL}/v1"`,
  ];
  return { lines, reason: `Ollama answers at ${OLLAMA_URL}` };
}

export interface Proposal {
  readonly lines: readonly string[];
  readonly reason: string;
}
