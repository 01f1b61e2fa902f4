import { type Candidate, type Place, valuedOptions } from './candidates.js';

/** As for bash, with descriptions. */
export function zshScript(places: readonly Place[]): string {
  const paths = places.map(({ path }) => path).filter((path) => path !== '');
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
    ${valuedOptions(places).join('|')}) _files; return ;;
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
# Sourced, or found by compinit under the name _agentx and then called at once.
if [[ "$funcstack[1]" == _agentx ]]; then _agentx "$@"; else compdef _agentx agentx; fi
`;
}

function list(candidates: readonly Candidate[]): string {
  return candidates.map(({ word, description }) => quoted(`${word.replaceAll(':', '\\:')}:${description}`)).join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
