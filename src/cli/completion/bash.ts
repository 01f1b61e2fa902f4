import { type Candidate, type Place, valuedOptions } from './candidates.js';

/**
 * Walks the words before the cursor down the tree of commands, then offers what that place knows: after an option with a
 * value, files.
 */
export function bashScript(places: readonly Place[]): string {
  const paths = places.map(({ path }) => path).filter((path) => path !== '');
  const cases = places.map(
    ({ path, words, options }) => `    '${path}') words='${list(words)}'; options='${list(options)}' ;;`,
  );
  return `# Completion of agentx for bash: source <(agentx completion bash)
_agentx() {
  local place='' word words='' options='' current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
    ${valuedOptions(places).join('|')}) return ;;
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$place/$word" in
      ${paths.join('|')}) place="$place/$word" ;;
    esac
  done
  case "$place" in
${cases.join('\n')}
  esac
  [[ -z "$words" || "$current" == -* ]] && words="$words $options"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _agentx agentx
`;
}

function list(candidates: readonly Candidate[]): string {
  return candidates.map(word).join(' ');
}

function word(candidate: Candidate): string {
  return candidate.word;
}
