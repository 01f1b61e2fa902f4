import { execFile } from 'node:child_process';
import { AgentXError } from '../protocol/errors.js';

type Environment = Readonly<Record<string, string | undefined>>;

const PUBLIC = 'https://api.github.com';

/** Where GitHub answers. A token is sent there, so plain HTTP is only for this machine. */
export function gitHubUrl(env: Environment): string {
  const url = env.AGENTX_GITHUB_URL || PUBLIC;
  const parsedUrl = URL.canParse(url) ? new URL(url) : undefined;
  const isHere = parsedUrl?.protocol === 'http:' && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(parsedUrl.hostname);
  if (parsedUrl?.protocol === 'https:' || isHere) return url;
  const problem = `AGENTX_GITHUB_URL is '${url}'. It must be an https address such as https://github.example.com/api/v3.`;
  throw new AgentXError('CONFIG_ERROR', problem, { key: 'AGENTX_GITHUB_URL' });
}

/** From the environment, or from GitHub's own command line; it is never written anywhere. */
export async function gitHubToken(env: Environment): Promise<string> {
  const token = env.GITHUB_TOKEN || env.GH_TOKEN;
  if (token) return token.trim();
  const tokenFromGh = await tokenOfGh(env);
  if (tokenFromGh !== undefined) return tokenFromGh;
  throw new AgentXError(
    'UNAUTHORIZED',
    'There is no token for GitHub. Set GITHUB_TOKEN or GH_TOKEN, or log in with: gh auth login',
    {},
  );
}

const PATIENCE_MS = 10_000;

function tokenOfGh(env: Environment): Promise<string | undefined> {
  const { hostname } = new URL(gitHubUrl(env));
  const host = hostname === new URL(PUBLIC).hostname ? [] : ['--hostname', hostname];
  return new Promise((resolve) => {
    execFile('gh', ['auth', 'token', ...host], { env, timeout: PATIENCE_MS, windowsHide: true }, (error, stdout) => {
      const token = stdout.trim();
      resolve(error === null && token !== '' ? token : undefined);
    });
  });
}
