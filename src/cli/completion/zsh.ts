import type { Candidate, Place } from './candidates.js';

/** As for bash, with descriptions. */
export function zshScript(places: readonly Place[]): string {
  const paths = places.map(({ path }) => path).filter((path) => path !== '');
  const valued = new Set(
    places.flatMap(({ options }) => options.filter(({ takesValue }) => takesValue)).map(({ word }) => word),
  );
  const cases = places.map(
    ({ path, words, options }) => `    '${path}')
      candidates=(${list(words)})
      switches=(${list(options)}) ;;`,
  );
  return `#compdef agentx
# Completion of agentx for zsh: source <(agentx completion zsh), after compinit
_agentx() {
  local place='' word
  local -a candidates switches
  case "\${words[CURRENT-1]}" in
    ${[...valued].join('|')}) _files; return ;;
  esac
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$place/$word" in
      ${paths.join('|')}) place="$place/$word" ;;
    esac
  done
  case "$place" in
${cases.join('\n')}
  esac
  (( \${#candidates} )) && _describe command candidates
  [[ -z "$candidates" || "$PREFIX" == -* ]] && _describe -o option switches
  (( \${#candidates} )) || _files
}
compdef _agentx agentx
`;
}

function list(candidates: readonly Candidate[]): string {
  return candidates.map(({ word, description }) => quoted(`${word.replaceAll(':', '\\:')}:${description}`)).join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
