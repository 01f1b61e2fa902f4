import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/*
 * Who may talk to the server. The token is in a file that only this user can read; a browser gets it once, in the
 * fragment of the link that `agentx serve` prints, and exchanges it for a cookie that scripts cannot read. A page of
 * another site can neither read our answers (no CORS) nor make the browser act for it: the cookie stays home
 * (SameSite=Strict), writes by cookie want our own Origin, and a name that was bent to this machine is not our Host.
 */

const COOKIE = 'agentx_session';

export interface Caller {
  readonly by: 'token' | 'cookie';
  readonly principal: string;
}

export interface AccessOptions {
  readonly token: string;
  /** Every Host header that means this server, with its port. */
  readonly hosts: readonly string[];
  /** Who answers, where a client does not say. */
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
  readonly #isToken: (given: string) => boolean;

  constructor(private readonly options: AccessOptions) {
    this.#isToken = comparing(options.token);
  }

  isOurHost({ host }: Credentials): boolean {
    return host !== undefined && this.options.hosts.includes(host.toLowerCase());
  }

  /** The origin of the page that sent the request is this server itself, or the TLS in front of it. */
  isOurOrigin({ origin, host }: Credentials): boolean {
    const ours = ['http', 'https'].map((scheme) => `${scheme}://${host?.toLowerCase()}`);
    return origin !== undefined && ours.includes(origin.toLowerCase());
  }

  identify({ authorization, cookie }: Credentials): Caller | undefined {
    const { principal } = this.options;
    const bearer = /^Bearer ([A-Za-z0-9_-]{1,200})$/i.exec(authorization ?? '')?.[1];
    if (bearer !== undefined) return this.#isToken(bearer) ? { by: 'token', principal } : undefined;
    const value = cookieValue(cookie);
    return value === undefined ? undefined : this.#readSession(value);
  }

  /** The cookie of a browser that showed the token. It survives a restart, for it follows from the token. */
  sessionCookie(name: string | undefined): string {
    const who = Buffer.from(name ?? this.options.principal).toString('base64url');
    return `${COOKIE}=${who}.${this.#sign(who)}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000`;
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

function cookieValue(header: string | undefined): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
}

/** In a time that does not tell how much was right. */
function comparing(wanted: string): (given: string) => boolean {
  const digestOf = (text: string) => createHash('sha256').update(text).digest();
  const digest = digestOf(wanted);
  return (given) => timingSafeEqual(digestOf(given), digest);
}
