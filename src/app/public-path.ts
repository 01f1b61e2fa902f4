import { sep } from 'node:path';

/** What agents may read: nothing outside, of git, of the state, or named like a file of secrets. */
export function isPublic(path: string): boolean {
  // File systems that ignore case would open .GIT as .git.
  const parts = path.toLowerCase().split(sep);
  if (path === '' || parts.includes('..')) return false;
  if (parts.some((part) => part === '.git' || part.startsWith('.env'))) return false;
  return !parts.some((part, index) => part === '.agentx' && parts[index + 1] === 'state');
}
