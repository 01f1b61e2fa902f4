import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject, string } from '../wire/json.js';
import { type Operation, operationOf, requestProblems, responseProblems } from './description.js';
import { answerGraphql, queryProblems } from './discussions.js';
import { type Fault, type FaultRule, Faults } from './faults.js';
import type { Role } from './people.js';
import { Refusal } from './refusal.js';
import { Repository } from './repository.js';
import { type Call, ROUTES } from './routes.js';
import { TOKEN } from './token.js';

export { TOKEN };

/*
 * One repository on GitHub, behind HTTP, for real clients. It keeps what they write, and does what GitHub does about pages,
 * ETags, moved repositories, permissions and limits. Every request, and every response of its own, is held against what
 * GitHub publishes; what does not fit is listed in `violations`.
 */

export interface SeenRequest {
  /** 1, 2, ... in the order in which they came. */
  readonly number: number;
  /** Such as `POST /repos/{owner}/{repo}/issues`; the address itself where GitHub has no such operation. */
  readonly operation: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** Undefined while there is no answer. */
  status?: number;
}

export interface FakeGithubOptions {
  /** `octocat/shop` without it. */
  readonly repository?: string;
  /** Whose token the program has; `agentx-bot`, with write access, without it. */
  readonly viewer?: { readonly login: string; readonly role: Role; readonly type?: 'User' | 'Bot' };
}

/** The moments of a request at which a test may end everything. */
export type Moment = 'arrived' | 'carried out';

export class FakeGithub {
  readonly repository: Repository;
  readonly viewer: string;
  /** Other repositories of the same people. */
  readonly others: Repository[] = [];
  readonly faults = new Faults();
  readonly requests: SeenRequest[] = [];
  readonly violations: string[] = [];
  /** Called at every moment of a request; where it says true, the connection ends there. */
  interrupt: ((request: SeenRequest, moment: Moment) => boolean | Promise<boolean>) | undefined;
  /** Requests in this hour that are not free of charge. */
  used = 0;
  limit = 5000;
  readonly #links = new Set<string>();
  readonly #server = createServer((incoming, response) => {
    this.#answer(incoming, response).catch((error: unknown) => {
      this.violations.push(`The fake itself failed: ${error instanceof Error ? error.stack : String(error)}`);
      response.destroy();
    });
  });

  constructor({ repository = 'octocat/shop', viewer }: FakeGithubOptions = {}) {
    this.repository = new Repository(repository);
    const { login, role, type } = { login: 'agentx-bot', role: 'write' as const, type: 'User' as const, ...viewer };
    this.viewer = this.repository.person(login, role, type).login;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async start(port = 0): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
  }

  /** Away from the network: connections are refused until it starts again, at the same port. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  fail(rule: FaultRule): void {
    this.faults.add(rule);
  }

  /** Requests that change something. */
  get writes(): readonly SeenRequest[] {
    return this.requests.filter(({ operation }) => !operation.startsWith('GET '));
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', this.url);
    const text = await bodyOf(incoming);
    const path = this.#currentPath(url.pathname.replace(/^\/api(?:\/v3(?=\/)|(?=\/graphql$))/, ''));
    const operation = operationOf(incoming.method ?? '', path);
    const body: unknown = text === '' ? undefined : parse(text);
    const request: SeenRequest = {
      number: this.requests.length + 1,
      operation: operation?.name ?? `${incoming.method} ${path}`,
      path,
      query: Object.fromEntries(url.searchParams),
      headers: incoming.headers,
      body,
    };
    this.requests.push(request);
    if (await this.interrupt?.(request, 'arrived')) return void response.destroy();
    const fault = this.faults.next(request.operation);
    if (fault !== undefined && isBefore(fault)) return this.#trouble(fault, request, response);
    const outcome = this.#carryOut(request, operation, url);
    if (await this.interrupt?.(request, 'carried out')) return void response.destroy();
    if (fault?.kind === 'lost response') return void response.destroy();
    this.#send(outcome, request, response, { isHalf: fault?.kind === 'half a response' });
  }

  /** Behind a redirection, GitHub calls repositories by their number. */
  #currentPath(path: string): string {
    return path.replace(/^\/repositories\/(\d+)/, (whole, id: string) => {
      const repository = [this.repository, ...this.others].find((one) => one.id === Number(id));
      return repository === undefined ? whole : `/repos/${repository.fullName}`;
    });
  }

  #trouble(fault: Fault, request: SeenRequest, response: ServerResponse): void {
    if (fault.kind === 'silence') return;
    if (fault.kind === 'status') {
      const { status, message, headers = {} } = fault;
      this.#send({ ...new Refusal(status, message, { headers: { ...headers } }) }, request, response);
    } else if (fault.kind === 'nonsense') {
      request.status = fault.status ?? 200;
      response.writeHead(request.status, { 'content-type': 'text/html' }).end(fault.body);
    } else response.destroy();
  }

  #carryOut(request: SeenRequest, operation: Operation | undefined, url: URL): Outcome {
    try {
      this.#admit(request);
      if (request.operation === GRAPHQL) return { status: 200, body: this.#graphql(request), headers: {} };
      if (operation === undefined) {
        this.violations.push(`No such operation in the description: ${request.operation}`);
        throw new Refusal(404, 'Not Found');
      }
      const repository = this.#repositoryOf(request, operation, url);
      const { body } = request;
      // An address that a response gave may have parameters that no description knows.
      const query = this.#links.has(url.href) ? new URLSearchParams() : url.searchParams;
      const problems = requestProblems({ operation, query, body });
      this.violations.push(...problems);
      if (problems.length > 0) throw new Refusal(422, `Invalid request. ${problems.join('. ')}`);
      const call: Call = {
        api: this.url,
        repository,
        viewer: this.repository.personNamed(this.viewer),
        parameters: operation.parameters,
        query: url.searchParams,
        body: isObject(body) ? body : {},
        list: Array.isArray(body) ? body : [],
      };
      const route = ROUTES[operation.name];
      if (route === undefined) throw new Error(`No route for ${operation.name}`);
      const reply = route(call);
      const { shown, link } = this.#page(reply.body, url);
      this.violations.push(...responseProblems(operation, reply.status, shown));
      return { status: reply.status, body: shown, headers: link === undefined ? {} : { link } };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return error;
    }
  }

  #graphql({ body }: SeenRequest): unknown {
    const { query, variables } = isObject(body) ? body : {};
    const text = string(query);
    const problems = queryProblems(text);
    this.violations.push(...problems);
    if (problems.length > 0) return { errors: problems.map((message) => ({ message })) };
    const { repository } = this;
    const viewer = repository.personNamed(this.viewer);
    return answerGraphql({
      repository,
      viewer,
      url: this.url,
      query: text,
      variables: isObject(variables) ? variables : {},
    });
  }

  #admit({ headers }: SeenRequest): void {
    if (!headers['user-agent']) throw new Refusal(403, 'Request forbidden by administrative rules.');
    const [, token] = /^(?:bearer|token) (\S+)$/i.exec(headers.authorization ?? '') ?? [];
    if (token !== TOKEN) throw new Refusal(401, 'Bad credentials');
    if (!/json|\*\/\*/.test(headers.accept ?? '')) throw new Refusal(415, 'Unsupported Accept header');
    if (this.used >= this.limit) throw new Refusal(403, 'API rate limit exceeded for user ID 1.');
  }

  #repositoryOf({ path }: SeenRequest, { parameters }: Operation, { search }: URL): Repository {
    const { owner, repo } = parameters;
    if (owner === undefined) return this.repository;
    const name = `${owner}/${repo}`.toLowerCase();
    const repository = [this.repository, ...this.others].find(({ fullName }) => fullName.toLowerCase() === name);
    if (repository !== undefined) return repository;
    const { id, formerNames } = this.repository;
    if (!formerNames.some((former) => former.toLowerCase() === name)) throw new Refusal(404, 'Not Found');
    const rest = path.split('/').slice(4).join('/');
    const location = `${this.url}/repositories/${id}${rest === '' ? '' : `/${rest}`}${search}`;
    throw new Refusal(MOVED, 'Moved Permanently', { headers: { location } });
  }

  #page(body: unknown, url: URL): { readonly shown: unknown; readonly link?: string } {
    if (!Array.isArray(body)) return { shown: body };
    const size = Number(url.searchParams.get('per_page') ?? 30);
    const page = Number(url.searchParams.get('page') ?? 1);
    const pageItems: unknown[] = body.slice((page - 1) * size, page * size);
    const last = Math.max(1, Math.ceil(body.length / size));
    const links: string[] = [];
    const add = (rel: string, number: number) => {
      const target = new URL(url);
      target.pathname = target.pathname.replace(/\/repos\/[^/]+\/[^/]+/, `/repositories/${this.repository.id}`);
      target.searchParams.set('after', Buffer.from(`cursor:${number}`).toString('base64'));
      target.searchParams.set('page', String(number));
      this.#links.add(target.href);
      links.push(`<${target.href}>; rel="${rel}"`);
    };
    if (page > 1) add('prev', page - 1);
    if (page < last) add('next', page + 1);
    if (page < last) add('last', last);
    if (page > 1) add('first', 1);
    return links.length === 0 ? { shown: pageItems } : { shown: pageItems, link: links.join(', ') };
  }

  #send(outcome: Outcome, request: SeenRequest, response: ServerResponse, { isHalf = false } = {}): void {
    const isGet = request.operation.startsWith('GET ');
    const status = outcome.status === MOVED && !isGet ? 307 : outcome.status;
    const text = outcome.body === undefined ? '' : JSON.stringify(outcome.body);
    const etag = `W/"${createHash('sha256').update(text).digest('hex')}"`;
    const isKnown = isGet && status === 200 && request.headers['if-none-match'] === etag;
    // What did not change is free of charge.
    if (!isKnown) this.used += 1;
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'x-github-media-type': 'github.v3; format=json',
      'x-github-request-id': String(request.number),
      'x-ratelimit-limit': String(this.limit),
      'x-ratelimit-remaining': String(Math.max(0, this.limit - this.used)),
      'x-ratelimit-used': String(this.used),
      'x-ratelimit-resource': 'core',
      'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 3600),
      ...(isGet && status === 200 && { etag, 'cache-control': 'private, max-age=60, s-maxage=60' }),
      ...outcome.headers,
    };
    request.status = isKnown ? 304 : status;
    if (isKnown) return void response.writeHead(304, headers).end();
    if (!isHalf) return void response.writeHead(status, headers).end(text);
    response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(text)) });
    response.write(text.slice(0, text.length / 2));
    setImmediate(() => response.destroy());
  }
}

interface Outcome {
  readonly status: number;
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** At the same place on GitHub Enterprise, where the rest of the interface has another one. */
const GRAPHQL = 'POST /graphql';

/** For what changes something it is 307, so that clients send it again as it was. */
const MOVED = 301;

function isBefore({ kind }: Fault): boolean {
  return kind !== 'lost response' && kind !== 'half a response';
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
