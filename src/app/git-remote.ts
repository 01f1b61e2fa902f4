import { execFile } from 'node:child_process';

export interface RemoteName {
  readonly host: string;
  /** `owner/name` */
  readonly repo: string;
}

/** Where the repository is on GitHub, from the address that git has for `origin`; undefined if it has none. */
export async function gitRemote(repository: string): Promise<RemoteName | undefined> {
  const address = await new Promise<string>((resolve) => {
    const words = ['-C', repository, 'config', '--get', 'remote.origin.url'];
    execFile('git', words, { timeout: 10_000, windowsHide: true }, (_error, stdout) => resolve(stdout.trim()));
  });
  return remoteIn(address);
}

/** `git@github.com:octocat/shop.git`, `https://github.com/octocat/shop`, `ssh://git@host:22/octocat/shop.git` */
export function remoteIn(address: string): RemoteName | undefined {
  const patterns = [
    /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([\w.-]+)(?::\d+)?\/([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/,
    /^(?:[\w.-]+@)?([\w.-]+):([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/,
  ];
  for (const pattern of patterns) {
    const [, host, repo] = pattern.exec(address) ?? [];
    if (host !== undefined && repo !== undefined) return { host: host.toLowerCase(), repo };
  }
  return undefined;
}
