import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/*
 * Who may talk to the server. The token is in a file that only this user can read. A browser gets it once, in the
 * fragment of the link that `agentx serve` prints, and exchanges it for a cookie that scripts cannot read. A page of
 * another site can neither read our answers (no CORS) nor make the browser act for it. The cookie is not sent from
 * there (SameSite=Strict), and writes by cookie need our own Origin. A foreign name that resolves to this machine is
 * not our Host. Browsers send a cookie to every port of a host. So the cookie's name holds port and project, and the
 * servers of several projects leave each other's cookies alone.
 */

const COOKIE = 'agentx_session_';
const MAX_AGE_SECONDS = 30 * 24 * 60 * 60;
/** Every server on a free port leaves a cookie behind, and the size of request headers is limited. */
const MAX_COOKIES = 20;

export interface Caller {
  readonly by: 'token' | 'cookie';
  readonly principal: string;
}

export interface AccessOptions {
  readonly token: string;
  /** Every Host header that means this server, with its port. */
  readonly hosts: readonly string[];
  readonly project: string;
  /** The person who answers, unless the client names one. */
  readonly principal: string;
}

/** The parts of a request that decide. */
export interface Credentials {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
  readonly cookie: string | undefined;
}

export class Access {
  readonly #isToken: (candidate: string) => boolean;

  constructor(private readonly options: AccessOptions) {
    this.#isToken = comparing(options.token);
  }

  isOurHost({ host }: Credentials): boolean {
    return host !== undefined && this.options.hosts.includes(host.toLowerCase());
  }

  /** Whether the page that sent the request comes from this server itself, or from the TLS proxy in front of it. */
  isOurOrigin({ origin, host }: Credentials): boolean {
    const ourOrigins = ['http', 'https'].map((scheme) => `${scheme}://${host?.toLowerCase()}`);
    return origin !== undefined && ourOrigins.includes(origin.toLowerCase());
  }

  identify({ host, authorization, cookie }: Credentials): Caller | undefined {
    const { principal } = this.options;
    const bearer = /^Bearer ([A-Za-z0-9_-]{1,200})$/i.exec(authorization ?? '')?.[1];
    if (bearer !== undefined) return this.#isToken(bearer) ? { by: 'token', principal } : undefined;
    const name = this.#cookieName(host);
    const ourSession = sessionsIn(cookie).find((session) => session.name === name);
    return ourSession === undefined ? undefined : this.#readSession(ourSession.value);
  }

  /**
   * The cookies for a browser that showed the token. Its session is derived from the token and so survives a restart.
   * If there are sessions of too many servers, the oldest is removed. Browsers send the oldest first.
   */
  sessionCookies({ host, cookie, origin = '' }: Credentials, person: string): readonly string[] {
    const name = this.#cookieName(host);
    const who = Buffer.from(person).toString('base64url');
    const others = sessionsIn(cookie).filter((session) => session.name !== name);
    const surplus = others.slice(0, Math.max(0, others.length + 1 - MAX_COOKIES));
    return [
      cookieLine(name, `${who}.${this.#sign(who)}`, MAX_AGE_SECONDS) + (/^https:/i.test(origin) ? '; Secure' : ''),
      ...surplus.map((session) => cookieLine(session.name, '', 0)),
    ];
  }

  /** The port that the browser sees, which behind a proxy is not ours. */
  #cookieName(host = ''): string {
    const port = /:(\d+)$/.exec(host)?.[1] ?? 'default';
    const { project } = this.options;
    const isName = /^[\w.-]{1,64}$/.test(project);
    return `${COOKIE}${port}_${isName ? project : createHash('sha256').update(project).digest('base64url')}`;
  }

  #readSession(value: string): Caller | undefined {
    const [who = '', signature = ''] = value.split('.');
    if (!comparing(this.#sign(who))(signature)) return undefined;
    return { by: 'cookie', principal: Buffer.from(who, 'base64url').toString('utf8') };
  }

  #sign(who: string): string {
    return createHmac('sha256', this.options.token).update(`session ${who}`).digest('base64url');
  }
}

function sessionsIn(header = ''): readonly { readonly name: string; readonly value: string }[] {
  return header.split(';').flatMap((pair) => {
    const [name = '', value = ''] = pair.trim().split('=');
    return name.startsWith(COOKIE) ? [{ name, value }] : [];
  });
}

function cookieLine(name: string, value: string, maxAge: number): string {
  return `${name}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${maxAge}`;
}

/** Takes the same time however much of it was right. */
function comparing(secret: string): (candidate: string) => boolean {
  const digestOf = (text: string) => createHash('sha256').update(text).digest();
  const digest = digestOf(secret);
  return (candidate) => timingSafeEqual(digestOf(candidate), digest);
}
