/** Where a server is, for people: an address may hold a password, or a key behind its path. */
export function plainAddress(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`.replace(/\/$/, '');
}
