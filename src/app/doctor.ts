import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { isProgram, type ProgramPlace } from '../agents/find-program.js';
import { programsOf } from '../agents/trust.js';
import type { BasePorts } from '../hub/ports.js';
import type { SettlePorts } from '../inbox/ports.js';
import type { RunnerFunction } from '../ports/runner.js';
import type { Diagnosis, Problem, Repair } from '../protocol/diagnosis.js';
import { AgentXError } from '../protocol/errors.js';
import { parseAgentName } from '../protocol/ids.js';
import { examineFiles } from '../storage/files/doctor/doctor.js';
import { orElse } from '../storage/files/file-system.js';
import { asStoreError } from '../storage/files/store-error.js';
import { parseWorkflow } from '../workflow/parse-workflow.js';
import { SHIPPED_AGENTS } from '../workflow/shipped/agents.js';
import { loadConfig } from './config.js';
import { type Engine, openEngine } from './hub-ports.js';
import { examineNotices } from './notices-problems.js';
import { examineReach } from './reach.js';
import { readOwnText } from './read-own-text.js';
import { readRole } from './roles.js';
import { completeUndone, findOrphans, findUndone } from './undone-effects.js';

export interface DoctorContext {
  /** The `.agentx` folder. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly base: BasePorts;
  /** Agents that the embedding program carries out itself. */
  readonly runners?: Readonly<Record<string, RunnerFunction>>;
  readonly nodeVersion?: string;
}

export interface DoctorRequest {
  readonly repair?: boolean;
}

/**
 * Examines a `.agentx` folder and what it needs. A repair changes what is ours; settings, workflows and approvals
 * belong to the user, who is told what to do.
 */
export async function doctor(context: DoctorContext, { repair = false }: DoctorRequest = {}): Promise<Diagnosis> {
  const { root, base, nodeVersion = process.versions.node } = context;
  const files = await examineFiles({ root, repair, at: base.clock.now() });
  const settings = examineSettings(context);
  const agents = settings.engine?.ports.agents;
  const workflows = examineWorkflows(root, agents);
  const roles = examineRoles(root, agents);
  const effects = settings.engine ? await effectsIfReadable(root, settings.engine.ports, repair) : NO_EFFECTS;
  const agentReport = await examineAgents(context, settings);
  const notices = settings.engine ? await examineNotices(context, settings.engine.config) : [];
  return {
    ...files,
    reach: agentReport.reach,
    examined: files.examined + 1 + workflows.examined + roles.examined,
    problems: [
      ...examineNode(nodeVersion),
      ...settings.problems,
      ...agentReport.problems,
      ...notices,
      ...notAFolder(root, 'workflows'),
      ...workflows.problems,
      ...notAFolder(root, 'agents'),
      ...roles.problems,
      ...files.problems,
      ...effects.problems,
      ...(effects.unread === undefined || files.problems.some(({ file }) => file === effects.unread?.file)
        ? []
        : [effects.unread]),
    ],
    repaired: [...files.repaired, ...effects.repaired],
    warnings: [...workflows.warnings, ...roles.warnings],
  };
}

async function examineAgents({ root, env }: DoctorContext, { engine, isApproved = false }: Settings) {
  if (engine === undefined) return { reach: [], problems: [] };
  const file = `${basename(root)}/config.toml`;
  return examineReach({ config: engine.config, cwd: dirname(root), env, isApproved, file });
}

const YOURS = 'It is yours to edit: put that right.';

const MINIMUM_NODE = [20, 19] as const;

function examineNode(version: string): readonly Problem[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [wantedMajor, wantedMinor] = MINIMUM_NODE;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return [];
  const wantedVersion = `${wantedMajor}.${wantedMinor}`;
  return [{ file: 'node', reason: `it is version ${version}`, todo: `Install Node ${wantedVersion} or newer.` }];
}

interface Settings {
  readonly problems: readonly Problem[];
  /** Undefined if the settings cannot be read. */
  readonly engine?: Engine;
  readonly isApproved?: boolean;
}

function examineSettings({ root, env, base, runners = {} }: DoctorContext): Settings {
  const file = `${basename(root)}/config.toml`;
  try {
    const config = loadConfig(root);
    const engine = openEngine(root, base, { config, env, runners });
    const { isApproved, problems } = examineTrust(engine, file);
    // Approvals are a matter of their own: whatever is wrong with them, agents are examined.
    const approved = openEngine(root, base, { config, env: { ...env, AGENTX_TRUST: '1' }, runners });
    const reasons = examineRunners(approved, { cwd: dirname(root), env });
    problems.push(...[...new Set(reasons)].map((reason) => ({ file, reason, todo: YOURS })));
    return { problems, engine, isApproved };
  } catch (error) {
    return { problems: [settingProblem(file, error)] };
  }
}

/** Why agents with correct settings cannot be started. A missing approval is a problem of its own. */
function examineRunners({ config, ports }: Engine, { cwd, env }: ProgramPlace): readonly string[] {
  return Object.entries(config.agents).flatMap(([agent, { command = [], env: own }]) => {
    const [program] = command;
    try {
      ports.runnerFor(agent);
    } catch (error) {
      if (!(error instanceof AgentXError)) throw error;
      const [problem = ''] = error.message.split(' For example:');
      // A doctor in a terminal cannot tell what works inside the editor.
      if (error.code === 'CONFIG_ERROR') return error.details.runner === 'editor' ? [] : [problem];
    }
    if (program === undefined || isProgram(program, { cwd, env: { ...env, ...own } })) return [];
    return [`agent '${agent}' cannot be started: there is no program '${program}'`];
  });
}

function examineTrust({ config, trust }: Engine, file: string): { isApproved: boolean; problems: Problem[] } {
  try {
    if (trust.isApproved(config)) return { isApproved: true, problems: [] };
    const count = programsOf(config).length;
    const programs = count === 1 ? 'the program that it names is' : `the ${count} programs that it names are`;
    const reason = `${programs} not approved: their agents are refused`;
    return { isApproved: false, problems: [{ file, reason, todo: 'Look at them: agentx trust' }] };
  } catch (error) {
    const problem = settingProblem(trust.file, error);
    const isDamaged = error instanceof AgentXError && error.code === 'CORRUPT_FILE';
    const todo = isDamaged ? 'Remove it, then approve anew: agentx trust' : problem.todo;
    return { isApproved: false, problems: [{ ...problem, todo }] };
  }
}

function examineWorkflows(root: string, agents: readonly string[] | undefined) {
  const folder = join(root, 'workflows');
  const names = filesIn(folder, '.toml');
  const warnings: string[] = [];
  const problems = names.flatMap((name) => {
    const file = `${basename(root)}/workflows/${name}`;
    try {
      const text = readOwnText(join(folder, name)) ?? '';
      // Without settings the agents are unknown: then every name is accepted.
      const parsedWorkflow = parseWorkflow(text, file, {
        agents: agents ?? [...text.matchAll(/["']([a-z][a-z0-9-]*)["']/g)].map(([, name = '']) => name),
      });
      warnings.push(...parsedWorkflow.warnings);
      return [];
    } catch (error) {
      return [settingProblem(file, error)];
    }
  });
  return { examined: names.length, problems, warnings };
}

/** The instructions of agents. */
function examineRoles(root: string, agents: readonly string[] | undefined) {
  const folder = join(root, 'agents');
  const names = filesIn(folder, '.md');
  const warnings: string[] = [];
  const problems = names.flatMap((name) => {
    const file = `${basename(root)}/agents/${name}`;
    const warning = agents && strayRole(file, agents);
    if (warning !== undefined) warnings.push(warning);
    try {
      readRole(join(folder, name));
      return [];
    } catch (error) {
      return [settingProblem(file, error)];
    }
  });
  return { examined: names.length, problems, warnings };
}

/** A warning about a file that is named like no agent; a README may explain the others. */
function strayRole(file: string, agents: readonly string[]): string | undefined {
  const name = basename(file, '.md');
  const knownNames = [...SHIPPED_AGENTS, ...agents];
  if (knownNames.includes(name) || /^readme$/i.test(name)) return undefined;
  const meantName = orElse(undefined, () => parseAgentName(name.toLowerCase()));
  return meantName !== undefined && knownNames.includes(meantName)
    ? `${file} is read for no agent. Rename it to ${meantName}.md.`
    : `${file} is read for no agent. Name it like its agent; one of your own has a table in config.toml.`;
}

function notAFolder(root: string, name: string): readonly Problem[] {
  const stat = orElse(undefined, () => statSync(join(root, name), { throwIfNoEntry: false }));
  if (stat === undefined || stat.isDirectory()) return [];
  const todo = 'Put a folder in its place, or remove it.';
  return [{ file: `${basename(root)}/${name}`, reason: 'it is no folder', todo }];
}

/** A folder that cannot be looked into is a finding of the walk through all files. */
function filesIn(folder: string, ending: string): readonly string[] {
  return orElse([], () => readdirSync(folder))
    .filter((name) => name.endsWith(ending))
    .sort();
}

function settingProblem(file: string, cause: unknown): Problem {
  const { code, message, details } = asStoreError('read', file, cause);
  const { line, column, key, problem, reason, remedy } = details;
  const todo = code === 'CONFIG_ERROR' ? YOURS : typeof remedy === 'string' ? remedy : 'See to that, then try again.';
  return {
    file,
    reason:
      typeof problem === 'string'
        ? problem
        : column === undefined
          ? message
          : `not valid TOML: ${reason}, column ${column}`,
    todo,
    ...(typeof line === 'number' && { line }),
    ...(typeof key === 'string' && { key }),
  };
}

const NO_EFFECTS: Effects = { problems: [], repaired: [] };

interface Effects {
  readonly problems: readonly Problem[];
  readonly repaired: readonly Repair[];
  /** What the system refused to read, so that the rest could not be examined. */
  readonly unread?: Problem;
}

/** What the system refuses is a problem among others, and hides none of them. */
async function effectsIfReadable(root: string, ports: SettlePorts, repair: boolean): Promise<Effects> {
  try {
    return await examineEffects(root, ports, repair);
  } catch (error) {
    if (!(error instanceof AgentXError) || typeof error.details.path !== 'string') throw error;
    const file = `${basename(root)}/${relative(root, error.details.path)}`;
    return { ...NO_EFFECTS, unread: settingProblem(file, error) };
  }
}

/** What a crash left undone between two writes; the next sweep completes it, or a repair does. */
async function examineEffects(root: string, ports: SettlePorts, repair: boolean): Promise<Effects> {
  const nameOf = (name: string): string => `${basename(root)}/${name}`;
  const undoneEffects = await findUndone(ports);
  const orphans = (await findOrphans(ports)).map(({ id, sourceId }) => ({
    file: nameOf(`state/questions/${id}.json`),
    reason: `its clarification ${sourceId} is lost: nobody gets the answer`,
    todo: `Run: agentx inbox dismiss ${id}`,
  }));
  if (undoneEffects.length === 0) return { problems: orphans, repaired: [] };
  if (repair) {
    await completeUndone(ports);
    return {
      problems: orphans,
      repaired: undoneEffects.map(({ file, reason }) => ({
        file: nameOf(file),
        summary: `Completed: ${reason}.`,
        lost: [],
      })),
    };
  }
  const todo = 'The next look at clarifications completes it, and so does: agentx doctor --repair';
  const problems = undoneEffects.map(({ file, reason }) => ({ file: nameOf(file), reason, todo }));
  return { problems: [...problems, ...orphans], repaired: [] };
}
