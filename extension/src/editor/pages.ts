import type * as vscode from 'vscode';
import { surroundings } from '../../../src/app/environment.js';
import { messageOf } from '../../../src/protocol/errors.js';
import type { RunningServer } from '../../../src/server/serve.js';
import type { Project, Projects } from './projects.js';

/** A server holds the app of its project open until it ends. */
interface Served {
  readonly project: Project;
  readonly server: RunningServer;
  readonly hosts: Set<string>;
  readonly end: () => Promise<void>;
}

/** The servers of this window, one for each project whose page was opened. */
export class Pages implements vscode.Disposable {
  readonly #served = new Map<string, Served>();
  readonly #starting = new Map<string, Promise<RunningServer>>();
  readonly #watching: vscode.Disposable;
  #renewing = Promise.resolve();

  constructor(
    private readonly projects: Projects,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.#watching = projects.onDidChange((change) => {
      if (change === undefined) this.#renewSoon();
    });
  }

  /** Of a server of any process. */
  async runningLink({ app }: Project): Promise<string | undefined> {
    const runningUrl = app.pageUrl();
    return runningUrl === undefined ? undefined : `${runningUrl}/#token=${await app.serverToken()}`;
  }

  /** Any free port: the fixed one is for servers that people start themselves. Runs are left to people. */
  async serve(project: Project): Promise<string> {
    const { root } = project;
    const starting = this.#starting.get(root) ?? this.#serve(project).finally(() => this.#starting.delete(root));
    this.#starting.set(root, starting);
    return (await starting).link;
  }

  allowHost({ root }: Project, host: string): void {
    const { server, hosts } = this.#served.get(root) ?? {};
    hosts?.add(host);
    server?.allowHost(host);
  }

  async #serve(project: Project, { port = 0, hosts = new Set<string>() } = {}): Promise<RunningServer> {
    const { serve } = await import('../../../src/server/serve.js');
    const { app, root } = project;
    const { principal } = surroundings();
    const options = { app, principal, host: '127.0.0.1', port, allowedHosts: [...hosts], carriesRunsOn: false };
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    void this.projects.during(() => released, [project]);
    const server = await serve(options).catch((error: unknown) => {
      release();
      throw error;
    });
    const end = async () => {
      this.#served.delete(root);
      await server.close();
      release();
    };
    this.#served.set(root, { project, server, hosts, end });
    // The settings may have changed meanwhile.
    this.#renewSoon();
    return server;
  }

  #renewSoon(): void {
    if (this.#served.size > 0) this.#renewing = this.#renewing.then(() => this.#renew());
  }

  /** Servers take up new settings that can be read, and end with their projects. An open page finds them again. */
  async #renew(): Promise<void> {
    for (const { project, server, hosts, end } of [...this.#served.values()]) {
      const { root } = project;
      const now = this.projects.find(root);
      try {
        if (now === project || (now === undefined ? this.projects.isBroken(root) : !(await isReadable(now)))) continue;
        await end();
        if (now !== undefined) await this.#serve(now, { port: server.port, hosts });
      } catch (error) {
        this.log.error(messageOf(error));
      }
    }
  }

  async close(): Promise<void> {
    this.dispose();
    await this.#renewing;
    await Promise.allSettled([...this.#served.values()].map(({ end }) => end()));
  }

  dispose(): void {
    this.#watching.dispose();
  }
}

async function isReadable({ app }: Project): Promise<boolean> {
  return app.config().then(
    () => true,
    () => false,
  );
}
