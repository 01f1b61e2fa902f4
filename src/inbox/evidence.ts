import { EVIDENCE, EVIDENCE_KEYS, type Evidence } from '../protocol/evidence.js';
import { beginningOf } from '../protocol/limits.js';

/** A shorter text says nothing about a search. */
const MIN_CHARACTERS = 10;

const PLACEHOLDERS = new Set(
  [
    'todo',
    'tbd',
    'fixme',
    'na',
    'n a',
    'none',
    'nothing',
    'nil',
    'null',
    'unknown',
    'yes',
    'no',
    'done',
    'ok',
    'same',
  ].concat(
    ['placeholder', 'pending', 'see above', 'as above', 'not applicable', 'not available', 'to be done', 'lorem ipsum'],
    [
      'to be determined',
      'searched',
      'checked',
      'searched codebase',
      'searched the codebase',
      'existing features examined',
      'searched everything',
      'searched all files',
      'checked all files',
      'same as above',
      'codebase search',
      'similar features',
      'attempted inference',
      'investigator findings',
    ],
    [
      'what reasoning was applied',
      'files patterns searched what was found not found',
      'if spawned summary of investigation',
    ],
  ),
);

/** The paths of one issue. */
interface CitedPaths {
  exists(path: string): Promise<boolean>;
  isNameOfFile(name: string): Promise<boolean>;
}

/** What is wrong with the evidence that an agent tried everything else, one sentence each. */
export async function evidenceProblems(
  paths: CitedPaths,
  evidence: Evidence,
  { isComplex }: { readonly isComplex: boolean },
): Promise<readonly string[]> {
  const neededKeys = EVIDENCE_KEYS.filter((key) => key !== 'investigator_findings' || isComplex);
  const gaps = neededKeys.flatMap((key) => {
    const text = evidence[key];
    if (text === undefined || text.trim() === '') return [`${EVIDENCE[key].toLowerCase()} is missing`];
    return isPlaceholder(text)
      ? [`${EVIDENCE[key].toLowerCase()} says nothing ('${beginningOf(text.trim(), 40)}')`]
      : [];
  });
  const allPaths = EVIDENCE_KEYS.flatMap((key) => citedPaths(evidence[key] ?? ''));
  const missingPaths: string[] = [];
  for (const path of new Set(allPaths)) if (!(await isThere(paths, path))) missingPaths.push(path);
  return [...gaps, ...missingPaths.map((path) => `it cites ${path}, which does not exist`)];
}

export function isPlaceholder(text: string): boolean {
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  if (words === '' || PLACEHOLDERS.has(words)) return true;
  if (/^(?:todo|tbd|fixme|xxx|lorem ipsum|n a)\b/.test(words) || /^\s*[[<{].*[\]>}]\s*$/s.test(text)) return true;
  return [...words.replace(DENSE, '$&$&')].length < MIN_CHARACTERS;
}

/** Scripts in which one or two characters are a word. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const TOKEN = /[^\s,;"'`()[\]{}<>|]+/g;
const NEGATION = /\b(?:no|not|none|without|nothing|neither|never|missing|absent|lacks?|cannot)\b/i;
const CLAUSES = /(?<=[.;!?])\s+|;|,?\s+\bbut\b|,\s*(?=(?:no|not|none|nothing|without)\b)/i;

/**
 * The paths that a text claims to exist. If it says that nothing was found, the folders it searched need not exist; a
 * file that it names must, unless the finding is that it is missing.
 */
export function citedPaths(text: string): readonly string[] {
  return text.split(CLAUSES).flatMap((clause) => {
    const paths = [...clause.matchAll(TOKEN)].flatMap(({ 0: token, index }) => {
      const path = pathOf(token);
      if (path === undefined) return [];
      const around = surroundings(clause, { from: index, to: index + token.length });
      if (isSaidToBeAbsent(around) || isAddress(around, path)) return [];
      const isFolder = path.includes('/') && !hasExtension(path);
      return isFolder && NEGATION.test(around.before) ? [] : [path];
    });
    return paths;
  });
}

interface Surroundings {
  readonly before: string;
  readonly after: string;
}

const SURROUNDING_CHARACTERS = 500;

function surroundings(clause: string, { from, to }: { readonly from: number; readonly to: number }): Surroundings {
  return {
    before: clause.slice(Math.max(0, from - SURROUNDING_CHARACTERS), from),
    after: clause.slice(to, to + SURROUNDING_CHARACTERS),
  };
}

/** Words that a slash joins (`and/or`) look like a path only if they begin with an existing folder. */
async function isThere(paths: CitedPaths, path: string): Promise<boolean> {
  if (await paths.exists(path)) return true;
  if (!path.includes('/')) return paths.isNameOfFile(path);
  if (hasExtension(path) || path.endsWith('/') || /^\.{0,2}\//.test(path)) return false;
  const [folder = ''] = path.split('/');
  return !(await paths.exists(folder));
}

function pathOf(token: string): string | undefined {
  const bare = token
    .replaceAll('\\', '/')
    .replace(/(?<![.:!?])[.:!?]+$/, '')
    .replace(/[:#]L?\d+(?:[-:]L?\d+)?$/, '')
    .replace(/^\*+(?=[\p{L}\p{N}._-])|(?<!\*)\*+$/gu, '')
    .replace(/^__?([^_].*[^_])__?$/, '$1');
  if (!bare.includes('/')) return FILE_NAME.test(bare) && !PRODUCT.test(bare) ? bare : undefined;
  if (bare.includes('://') || !/[\p{L}\p{N}]/u.test(bare)) return undefined;
  if (bare.startsWith('//') || /^[~$@#]/.test(bare) || /^\d+\/\d+$/.test(bare)) return undefined;
  return withoutPattern(bare);
}

/** A name alone means a file if its extension is a usual one. */
const FILE_NAME =
  /^(?:[\w-][\w.-]*\.(?:[cm]?[jt]sx?|py|go|rs|java|kts?|rb|php|cs|cpp|hpp|swift|scala|exs?|json|ya?ml|toml|xml|html?|s?css|md|txt|sql|sh|ini|cfg|conf|properties|gradle|proto|graphql|vue|svelte|ipynb|csv|tf|lock|c|cc|h|dart|lua|zig|hs|clj|erb|prisma|rst|mod|sbt|ps1|bat|csproj)|\.(?:env\.\w+|\w+rc(?:\.\w+)?|gitlab-ci\.ya?ml|gitignore)|Dockerfile|Makefile|Gemfile|Procfile|Jenkinsfile|Pipfile|Rakefile)$/;
const PRODUCT =
  /^(?:node|next|nuxt|vue|react|express|three|d3|ember|backbone|angular|alpine|chart|p5|socket|require|moment|day|discord|ext|knockout|nest)\.js$/i;

/** `GET /api/users`: no file. */
function isAddress({ before }: Surroundings, path: string): boolean {
  const isNamed = /\b(?:get|post|put|patch|delete|head|endpoints?|routes?|urls?)\s+[`'"(]*$/i.test(before);
  return isNamed && path.startsWith('/') && !hasExtension(path);
}

const NOT_FOUND =
  /\b(?:no|without|neither|nor|missing|absent|lacks?|no such (?:file|folder|directory):?|(?:could not|cannot|did not|unable to|failed to|could ?n't|can't|did ?n't) (?:find|locate|see))\s+(?:an?\s+|any\s+|the\s+)?[`'"(]*$/i;
const LOOKED_FOR = /\b(?:look|search|grepp?)(?:ed|ing)? for\s+(?:an?\s+|any\s+|the\s+)?[`'"(]*$/i;

/** `there is no config.yaml`, `config.yaml is missing`: the finding is that it does not exist. */
function isSaidToBeAbsent({ before, after }: Surroundings): boolean {
  return (
    NOT_FOUND.test(before) ||
    (LOOKED_FOR.test(before) && NEGATION.test(after)) ||
    /^\W*(?:is|was|are)?\s*(?:missing|absent|not (?:there|found|present)|do(?:es)? not exist|do(?:es)?n't exist)\b/i.test(
      after,
    )
  );
}

/** `src/**` + `/*.ts` means files below `src/`. */
function withoutPattern(path: string): string | undefined {
  const parts = path.split('/');
  const first = parts.findIndex((part) => /[*?]/.test(part));
  if (first < 0) return path;
  return first === 0 ? undefined : `${parts.slice(0, first).join('/')}/`;
}

function hasExtension(path: string): boolean {
  return /[^/]\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(path);
}
