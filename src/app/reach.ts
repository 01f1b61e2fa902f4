import { cliOf } from '../agents/cli/find-cli.js';
import { missingKeys } from '../agents/model/provider.js';
import { plainAddress } from '../agents/plain-address.js';
import { needsApproval } from '../agents/trust.js';
import type { Config } from '../protocol/config.js';
import type { Problem, Reach } from '../protocol/diagnosis.js';
import { type FoundAgents, findAgents, LATE, lookAt, NOTHING, OLLAMA_URL } from './found-agents.js';

type Environment = Readonly<Record<string, string | undefined>>;

export interface ReachContext {
  readonly config: Config;
  readonly cwd: string;
  readonly env: Environment;
  /** Whether the user has approved the programs and addresses of the settings. */
  readonly isApproved: boolean;
  /** The name of the settings in problems. */
  readonly file: string;
}

/** Which agents, keys, models and servers can be reached, and what to do about the others. */
export async function examineReach(context: ReachContext): Promise<{
  readonly reach: readonly Reach[];
  readonly problems: readonly Problem[];
}> {
  const { config, cwd, env, isApproved, file } = context;
  const foundAgents = await findAgents({ cwd, env });
  const models = await Promise.all(
    Object.entries(config.agents)
      .filter(([, { runner }]) => runner === 'model')
      .map(([agent, table]) => {
        const { model = '', base_url: baseUrl } = table;
        return modelReach(agent, { model, baseUrl, env, mayAsk: isApproved || !needsApproval(table) });
      }),
  );
  const clis = Object.entries(config.agents).flatMap(([agent, table]) =>
    cliReach(agent, table, { found: foundAgents, env }),
  );
  const reach = [...clis, ...models];
  const problems = models.flatMap(({ agent, state, what, todo = '' }) =>
    state === 'there' ? [] : [{ file, reason: `agent '${agent}' cannot reach ${what}`, todo }],
  );
  return { reach: [...reach, ...others(foundAgents, reach)], problems };
}

/**
 * A program that is missing is a problem of the settings already. Logins are kept where only the program itself finds
 * them, and asking it would cost a turn.
 */
function cliReach(
  agent: string,
  { runner, env: own }: Config['agents'][string],
  { found, env }: { readonly found: FoundAgents; readonly env: Environment },
): readonly Reach[] {
  const cli = cliOf(runner);
  if (cli === undefined) return [];
  const hasKey = cli.keys.some((name) => (own?.[name] ?? env[name])?.trim());
  const todo = `Whether it is logged in shows only when it works. If not: ${cli.login}.`;
  if (found.clis.includes(cli.name)) return [{ agent, what: cli.name, state: 'there', ...(!hasKey && { todo }) }];
  return [{ agent, what: cli.name, state: 'missing', todo: `Run: npm install -g ${cli.package}` }];
}

interface Model {
  readonly model: string;
  readonly baseUrl: string | undefined;
  readonly env: Environment;
  /** Whether its server may be asked: a stranger's settings must get no request, and no key. */
  readonly mayAsk: boolean;
}

async function modelReach(
  agent: string,
  { model, baseUrl, env, mayAsk }: Model,
): Promise<Reach & { readonly agent: string }> {
  const provider = model.split('/')[0] ?? '';
  const keys = missingKeys({ model, env });
  if (keys.length > 0) {
    const todo = `Set ${keys.join(' or ')}, in the shell that starts agentx.`;
    return { agent, what: `${model}: no key`, state: 'missing', todo };
  }
  if (baseUrl === undefined) return { agent, what: model, state: 'there' };
  const place = plainAddress(baseUrl);
  if (!mayAsk) {
    const todo = 'Look at the settings, and approve them: agentx trust';
    return { agent, what: `${place}: it is not approved`, state: 'missing', todo };
  }
  const name = model.slice(provider.length + 1);
  const isCompatible = provider === 'compatible';
  const answer = await lookAt(
    `${baseUrl.replace(/\/$/, '')}/models`,
    isCompatible ? env.COMPATIBLE_API_KEY : undefined,
  );
  // The other formats want their key in other ways: a server that answers at all is there.
  if (!isCompatible && answer !== NOTHING && answer !== LATE)
    return { agent, what: `${model} at ${place}`, state: 'there' };
  if (typeof answer === 'string') {
    return { agent, what: `${place}: ${answer}`, state: 'missing', todo: 'Start the server, or change base_url.' };
  }
  if (answer.length === 0 || answer.includes(name)) return { agent, what: `${model} at ${place}`, state: 'there' };
  const todo = `It has: ${answer.slice(0, 8).join(', ')}. Change model, or load it there.`;
  return { agent, what: `${name}, which ${place} does not have`, state: 'missing', todo };
}

/** What could do work and is given none. */
function others({ clis, keys, ollama }: FoundAgents, usedAgents: readonly Reach[]): readonly Reach[] {
  const names = new Set(usedAgents.map(({ what }) => what));
  return [
    ...clis.filter((name) => !names.has(name)).map((what) => ({ what, state: 'unused' as const })),
    ...keys.map(({ variable }) => ({ what: variable, state: 'unused' as const })),
    ...(ollama.length === 0
      ? []
      : [{ what: `Ollama at ${OLLAMA_URL} (${ollama.slice(0, 5).join(', ')})`, state: 'unused' as const }]),
  ];
}
