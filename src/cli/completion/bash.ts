import { type Candidate, type Place, valuedOptions } from './candidates.js';
import type { Value } from './values.js';

/**
 * Follows the words before the cursor down the tree of commands, counts the arguments, and offers the candidates of
 * that place. Values from the store are already filtered by the program: `compgen` would expand them.
 */
export function bashScript(places: readonly Place[]): string {
  const paths = places.map(({ path }) => path).filter((path) => path !== '');
  const cases = places.map(
    ({ path, words, options, values, more }) =>
      `    '${path}') words='${list(words)}'; options='${list(options)}'; kinds=(${values.map(valueText).join(' ')})${moreText(more)} ;;`,
  );
  const optionCases = places.flatMap(({ path, options }) => options.flatMap((option) => optionCase(path, option)));
  return `# Completion of agentx for bash: source <(agentx completion bash)
_agentx() {
  local place='' word words='' options='' kind='' more='' value='' skip='' count=0 current="\${COMP_WORDS[COMP_CWORD]}"
  local -a kinds=()
  COMPREPLY=()
  [[ "$current" == '=' ]] && current=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    # bash takes --option=value for three words.
    [[ "$word" == '=' ]] && continue
    if [[ -n "$skip" ]]; then skip=''; continue; fi
    case "$word" in
      ${valuedOptions(places).join('|')}) skip="$word"; continue ;;
      -*) continue ;;
    esac
    case "$place/$word" in
      ${paths.join('|')}) place="$place/$word" ;;
      *) count=$((count + 1)) ;;
    esac
  done
  if [[ -n "$skip" ]]; then
    case "$place $skip" in
${optionCases.join('\n')}
    esac
    [[ -z "$kind" ]] && kind=nothing
  else
    case "$place" in
${cases.join('\n')}
    esac
    [[ "$current" != -* && -z "$words" ]] && kind="\${kinds[count]-$more}"
  fi
  # Names of files are for readline, which quotes them; where something else belongs, it offers none.
  [[ "$kind" == files ]] && return
  compopt +o default 2>/dev/null
  case "$kind" in
    nothing) return ;;
    folders) compopt -o dirnames 2>/dev/null; return ;;
    ,*) words="\${kind//,/ }" ;;
    ?*)
      while IFS=$'\\t' read -r value _; do
        COMPREPLY+=("$value")
      done < <("\${COMP_WORDS[0]}" complete "$kind" "\${COMP_WORDS[@]:1:COMP_CWORD-1}" "$current" 2>/dev/null)
      return ;;
  esac
  [[ -z "$words" || "$current" == -* ]] && words="$words $options"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _agentx agentx
`;
}

function optionCase(path: string, { word, short, value }: Candidate): readonly string[] {
  const kind = value === undefined ? '' : valueText(value);
  if (kind === '' || kind === "''") return [];
  return [`      '${path} ${word}'${short ? `|'${path} ${short}'` : ''}) kind=${kind} ;;`];
}

/** A kind, or the words themselves, each behind a comma. */
function valueText({ kind, words }: Value): string {
  return `'${kind ?? (words ?? []).map((word) => `,${word}`).join('')}'`;
}

function moreText(more: Value | undefined): string {
  return more === undefined ? '' : `; more=${valueText(more)}`;
}

function list(candidates: readonly Candidate[]): string {
  return candidates.map(({ word }) => word).join(' ');
}
