import { describe, expect, it } from 'vitest';
import { citedPaths, evidenceProblems, isPlaceholder } from './evidence.js';

describe('evidence', () => {
  it.each([
    'TODO',
    'todo: look',
    'N/A',
    'none',
    '...',
    '-',
    '',
    '[files searched]',
    '<none>',
    'Searched the codebase.',
    'xx',
    'n.a.',
    'see above',
    'n/a - see above',
    'same as above',
    'Searched everything.',
    'checked all files',
    'Codebase search',
  ])('is not %j', (text) => {
    expect(isPlaceholder(text)).toBe(true);
  });

  it.each([
    'No mail provider is configured anywhere',
    'src/sms.ts',
    'Es gibt keinen Anbieter',
    '\u9375\u306f\u898b\u3064\u304b\u308a\u307e\u305b\u3093',
  ])('may be %j', (text) => {
    expect(isPlaceholder(text)).toBe(false);
  });

  it.each([
    ['Found helpers in /api/auth.py, no flow of its own', ['/api/auth.py']],
    ['No keys in config/, .env files, or secrets/', []],
    ['No keys in config/, but src/pay/ has an interface', ['src/pay/']],
    ['No handler in src/ghost.ts', ['src/ghost.ts']],
    ['looked at `src/a.ts:12`, (lib/b.js) and "docs/c.md".', ['src/a.ts', 'lib/b.js', 'docs/c.md']],
    ['every src/**/*.ts file', ['src/']],
    ['see https://example.org/a/b.html', []],
    ['and/or 1/2 nothing', ['and/or']],
    ['package.json and auth.py:12 have none of it', ['package.json', 'auth.py']],
    ['Nothing in ghost.ts says so', ['ghost.ts']],
    ['the Dockerfile says nothing', ['Dockerfile']],
    ['see ghost.ts#L10, schema.prisma and go.mod', ['ghost.ts', 'schema.prisma', 'go.mod']],
    ['looked at src\\ghost\\a.ts and .env.example', ['src/ghost/a.ts', '.env.example']],
    ['process.env is read nowhere', []],
    ['there is no docker-compose.yml, and config.yaml is missing', []],
    ['there is no src/auth.ts, and docs/keys.md does not exist', []],
    ['neither src/a.ts nor lib/b.ts', []],
    ['could not find src/a.ts, and did not see lib/b.ts', []],
    ['no such file: src/a.ts; looked for lib/b.ts without success', []],
    ['looked for src/a.ts, which is absent', []],
    ['looked for keys in src/a.ts without success', ['src/a.ts']],
    ['searched **/*.env and **/*.pem for keys', []],
    ['GET /api/users and the endpoint /v1/pay answer 404', []],
    ['read **src/a.ts** and __lib/b.ts__', ['src/a.ts', 'lib/b.ts']],
    ['no keys in src/auth.ts', ['src/auth.ts']],
    ['Node.js and Next.js, v1.2, e.g. example.com or user.name', []],
  ])('%j cites %j', (text, paths) => {
    expect(citedPaths(text)).toEqual(paths);
  });

  it('is searched in time that grows with the text', () => {
    const before = process.cpuUsage();
    for (const run of ['?', '_', '*', 'src/a.ts ', 'src/a ', 'could not find ']) citedPaths(`${run.repeat(60_000)}x`);
    expect(process.cpuUsage(before).user).toBeLessThan(3_000_000);
  });

  it.each([
    ['test/prod and src/auth', ['src', 'src/auth'], []],
    ['test/prod and src/auth', ['src'], ['src/auth']],
    ['REST/GraphQL', ['src'], []],
    ['docs/', ['src'], ['docs/']],
    ['found in auth.py', ['src'], ['auth.py']],
    ['found in auth.py', ['api/auth.py'], []],
  ])('%j in a repository of %j lacks %j', async (text, files, absent) => {
    const paths = {
      exists: async (path: string) => files.includes(path.replace(/\/$/, '')),
      isNameOfFile: async (name: string) => files.some((path) => path.endsWith(`/${name}`)),
    };
    const filler = 'Something was looked at here';
    const evidence = { codebase_search: `${filler}: ${text}`, similar_features: filler, attempted_inference: filler };
    expect(await evidenceProblems(paths, evidence, { isComplex: false })).toEqual(
      absent.map((path) => `it cites ${path}, which does not exist`),
    );
  });
});
