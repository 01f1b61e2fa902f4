import { dirname } from 'node:path';
import { isProgram } from '../agents/find-program.js';
import { runProgram } from '../agents/program.js';
import { needsTrust, openTrust } from '../agents/trust.js';
import type { BasePorts } from '../hub/ports.js';
import { revived } from '../notify/after-sending.js';
import { type Channel, channelsOf } from '../notify/channel.js';
import { readChoice, refused, signChoice } from '../notify/choice-link.js';
import { keepTelling, type TellingOptions } from '../notify/keep-telling.js';
import { isDueWithin, type NotifyPorts, obstacleTo, sendTest } from '../notify/tell-people.js';
import type { Config } from '../protocol/config.js';
import type { Message } from '../protocol/delivery.js';
import { AgentXError, messageOf } from '../protocol/errors.js';
import { toEpochMs } from '../protocol/timestamp.js';
import { loadConfig } from './config.js';
import { runningServer } from './running-servers.js';
import { secretIn } from './server-files.js';
import { spend } from './spent.js';
import { namesChannels, readConfigText } from './storage-mode.js';

export interface NoticesContext {
  /** The `.agentx` folder. */
  readonly root: string;
  readonly state: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly base: Pick<BasePorts, 'store' | 'clock' | 'log'>;
}

/** One channel as people see it: whether this process can use it. */
export interface ChannelState {
  readonly key: string;
  readonly channel: Channel['channel'];
  readonly afterMinutes: number;
  /** Why it cannot be used here, as a clause. */
  readonly obstacle?: string;
}

export interface TestResult extends ChannelState {
  readonly isSent: boolean;
  readonly error?: string;
}

export interface ChosenOption {
  readonly part: string;
  readonly optionId: string;
}

/** How people are told what they are asked: everything that a surface does with channels. */
export class Notices {
  constructor(private readonly context: NoticesContext) {}

  /** Tells people the news until the signal; settings are read anew at every look. */
  keepTelling(options: TellingOptions): Promise<void> {
    const { log } = this.context.base;
    let problem = '';
    return keepTelling(async () => {
      try {
        return this.#portsIfAny();
      } catch (error) {
        // A person may be editing the settings: they are looked at again.
        if (messageOf(error) !== problem) log.warn('people are not told the news', { error: messageOf(error) });
        problem = messageOf(error);
        return undefined;
      }
    }, options);
  }

  /** Whether something is to be told within this time. */
  async isDueWithin(milliseconds: number): Promise<boolean> {
    const ports = this.#portsIfAny();
    return ports !== undefined && isDueWithin(ports, milliseconds);
  }

  /** Whether a live process tells people the news. */
  async isTold(): Promise<boolean> {
    return (await this.context.base.store.heldBy({ notify: 'people' })) === 'live';
  }

  channels(config: Config = loadConfig(this.context.root)): readonly ChannelState[] {
    const ports = this.#ports(config);
    return ports.channels.map((channel) => stateOf(channel, ports));
  }

  /** The newest last. */
  async messages(): Promise<readonly Message[]> {
    return (await this.context.base.store.deliveries.read()).messages;
  }

  /** Has dead letters sent again: the named one, or all. Returns how many. */
  async sendAgain(id?: string): Promise<number> {
    const { store, clock } = this.context.base;
    const isMeant = (message: Message) => message.state === 'dead' && (id === undefined || message.id === id);
    const count = await store.deliveries.update((current) => ({
      next: revived(current, isMeant, toEpochMs(clock.now())),
      result: current.messages.filter(isMeant).length,
    }));
    if (count > 0 || id === undefined) return count;
    const deadIds = (await this.messages()).filter(({ state }) => state === 'dead').map((message) => message.id);
    const allowed = deadIds.length === 0 ? 'there are none' : [...new Set(deadIds)].join(', ');
    throw new AgentXError('NOT_FOUND', `There is no undelivered message '${id}'. Undelivered: ${allowed}.`, { id });
  }

  /** Sends a message of no consequence through every channel, now. */
  async test(): Promise<readonly TestResult[]> {
    const ports = this.#ports(loadConfig(this.context.root));
    return Promise.all(
      ports.channels.map(async (channel): Promise<TestResult> => {
        const state = stateOf(channel, ports);
        if (state.obstacle !== undefined) return { ...state, isSent: false, error: state.obstacle };
        const result = await sendTest(ports, channel);
        return { ...state, isSent: result.outcome === 'sent', ...('error' in result && { error: result.error }) };
      }),
    );
  }

  /** What the link of a message chose. It is spent: another use is refused. */
  choose(questionId: string, token: string): ChosenOption {
    const { state, base } = this.context;
    const now = toEpochMs(base.clock.now());
    const { part, optionId, nonce } = readChoice(this.#secret(), token, { questionId, now });
    if (!spend(state, nonce, now)) throw refused('was used before');
    return { part, optionId };
  }

  #portsIfAny() {
    const { root } = this.context;
    const text = readConfigText(root);
    if (!namesChannels(text)) return undefined;
    const config = loadConfig(root, {}, text);
    return config.notify.length === 0 ? undefined : this.#ports(config);
  }

  #ports(config: Config): NotifyPorts & Pick<BasePorts, 'store'> {
    const { root, state, env, base } = this.context;
    const cwd = dirname(root);
    const trust = openTrust({ repository: cwd, env });
    const isApproved = once(() => trust.isApproved(config));
    return {
      ...base,
      env,
      cwd,
      root,
      project: config.project,
      channels: channelsOf(config.notify),
      isApproved: (channel) => !needsTrust(channel) || isApproved(),
      pageUrl: () => runningServer(state),
      sign: (choice) => signChoice(this.#secret(), choice, toEpochMs(base.clock.now())),
      runProgram,
      hasProgram: (name) => isProgram(name, { cwd, env }),
      terminal: process.stderr.isTTY === true ? (text) => void process.stderr.write(text) : undefined,
      platform: process.platform,
    };
  }

  #secret(): string {
    return secretIn(this.context.state, 'notify-secret');
  }
}

function stateOf(channel: Channel, ports: NotifyPorts): ChannelState {
  const obstacle = obstacleTo(channel, ports);
  const { key, channel: kind, after_minutes: afterMinutes } = channel;
  return { key, channel: kind, afterMinutes, ...(obstacle !== undefined && { obstacle }) };
}

function once<T>(work: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => {
    result ??= { value: work() };
    return result.value;
  };
}
