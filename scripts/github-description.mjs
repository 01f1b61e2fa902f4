import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * Writes test/github/description.json: what GitHub publishes of the requests that the program sends, without words,
 * examples and everything else. `node scripts/github-description.mjs` takes the whole description from npm; with the
 * path of an unpacked @octokit/openapi, from there.
 */

const PACKAGE = '@octokit/openapi@23.0.2';

const REPOSITORY = '/repos/{owner}/{repo}';
const OPERATIONS = {
  '/user': ['get'],
  [REPOSITORY]: ['get'],
  [`${REPOSITORY}/labels`]: ['get', 'post'],
  [`${REPOSITORY}/collaborators/{username}/permission`]: ['get'],
  [`${REPOSITORY}/issues`]: ['get', 'post'],
  [`${REPOSITORY}/issues/comments`]: ['get'],
  [`${REPOSITORY}/issues/comments/{comment_id}`]: ['get', 'patch', 'delete'],
  [`${REPOSITORY}/issues/{issue_number}`]: ['get', 'patch'],
  [`${REPOSITORY}/issues/{issue_number}/comments`]: ['get', 'post'],
  [`${REPOSITORY}/issues/{issue_number}/labels`]: ['get', 'post', 'put'],
  [`${REPOSITORY}/issues/{issue_number}/labels/{name}`]: ['delete'],
  [`${REPOSITORY}/issues/{issue_number}/assignees`]: ['post', 'delete'],
};

/** For people, or about other servers. */
const LEFT_OUT = [
  'description',
  'summary',
  'example',
  'examples',
  'externalDocs',
  'tags',
  'title',
  'x-github',
  'x-octokit',
];

const completeDescription = JSON.parse(
  readFileSync(join(packageFolder(process.argv[2]), 'generated/api.github.com.json'), 'utf8'),
);
const components = {};
const paths = Object.fromEntries(
  Object.entries(OPERATIONS).map(([path, methods]) => [path, pick(completeDescription.paths[path], methods)]),
);
keepWhatIsReferred(paths);
const { title, version, license } = completeDescription.info;
const description = {
  openapi: completeDescription.openapi,
  info: { title, version, license, source: PACKAGE },
  paths,
  components,
};
writeFileSync('test/github/description.json', `${JSON.stringify(description, null, 1)}\n`);

function packageFolder(argument) {
  if (argument !== undefined) return argument;
  const folder = mkdtempSync(join(tmpdir(), 'github-description-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const npm = spawnSync('npm', ['pack', '--json', PACKAGE], { cwd: folder, encoding: 'utf8' });
  if (npm.status !== 0) throw new Error(`npm cannot fetch ${PACKAGE}: ${npm.stderr}`);
  const [{ filename }] = JSON.parse(npm.stdout);
  const tar = spawnSync('tar', ['xzf', filename], { cwd: folder, encoding: 'utf8' });
  if (tar.status !== 0) throw new Error(`tar cannot unpack ${filename}: ${tar.stderr}`);
  return join(folder, 'package');
}

/** The operations of one address, each with the parameters that all of them share. */
function pick(item, methods) {
  return Object.fromEntries(
    methods.map((method) => {
      const { parameters = [], requestBody, responses } = item[method];
      const commonParameters = item.parameters ?? [];
      const operation = { parameters: [...commonParameters, ...parameters], requestBody, responses };
      return [method, withoutWords(operation)];
    }),
  );
}

function withoutWords(value, isNames = false) {
  if (Array.isArray(value)) return value.map((one) => withoutWords(one));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => isNames || !LEFT_OUT.includes(key));
  // Below `properties` stand names, and a property may well be called "description".
  return Object.fromEntries(entries.map(([key, one]) => [key, withoutWords(one, !isNames && key === 'properties')]));
}

function keepWhatIsReferred(value) {
  if (typeof value !== 'object' || value === null) return;
  if (typeof value.$ref === 'string') {
    const [, , kind, name] = value.$ref.split('/');
    components[kind] ??= {};
    if (components[kind][name] === undefined) {
      components[kind][name] = withoutWords(completeDescription.components[kind][name]);
      keepWhatIsReferred(components[kind][name]);
    }
  }
  for (const one of Object.values(value)) keepWhatIsReferred(one);
}
