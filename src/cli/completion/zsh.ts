import { type Candidate, type Place, valuedOptions } from './candidates.js';
import type { Value } from './values.js';

/** As for bash, with descriptions. */
export function zshScript(places: readonly Place[]): string {
  const paths = places.map(({ path }) => path).filter((path) => path !== '');
  const cases = places.map(
    ({ path, words, options, values, more = {} }) => `    '${path}')
      candidates=(${list(words)})
      switches=(${list(options)})
      kinds=(${values.map(valueText).join(' ')})
      more=${valueText(more)} ;;`,
  );
  const optionCases = places.flatMap(({ path, options }) => options.flatMap((option) => optionCase(path, option)));
  return `#compdef agentx
# Completion of agentx for zsh: source <(agentx completion zsh), after compinit
_agentx() {
  local place='' word kind='' more='' skip='' count=1
  local -a candidates switches kinds offers
  for word in "\${(@)words[2,CURRENT-1]}"; do
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
  if [[ -z "$skip" && "$PREFIX" == --*=* ]]; then skip="\${PREFIX%%=*}"; compset -P '*='; fi
  if [[ -n "$skip" ]]; then
    case "$place $skip" in
${optionCases.join('\n')}
    esac
    [[ -z "$kind" ]] && return
  else
    case "$place" in
${cases.join('\n')}
    esac
    [[ "$PREFIX" != -* ]] && kind="\${kinds[count]-$more}"
  fi
  case "$kind" in
    files) _files; return ;;
    folders) _files -/; return ;;
    ,*) offers=("\${(@s:,:)kind#,}"); _describe value offers; return ;;
    ?*)
      offers=("\${(@f)$("\${words[1]}" complete "$kind" "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
      offers=("\${(@)\${(@)offers/$'\\t'/:}%:}")
      [[ -n "$offers" ]] && _describe value offers -M 'm:{a-zA-Z}={A-Za-z}'
      return ;;
  esac
  (( \${#candidates} )) && _describe command candidates
  [[ -z "$candidates" || "$PREFIX" == -* ]] && _describe -o option switches
  return 0
}
# Sourced, or found by compinit under the name _agentx and then called at once.
if [[ "$funcstack[1]" == _agentx ]]; then _agentx "$@"; else compdef _agentx agentx; fi
`;
}

function optionCase(path: string, { word, short, value }: Candidate): readonly string[] {
  const kind = value === undefined ? "''" : valueText(value);
  if (kind === "''") return [];
  return [`      '${path} ${word}'${short ? `|'${path} ${short}'` : ''}) kind=${kind} ;;`];
}

function valueText({ kind, words }: Value): string {
  return `'${kind ?? (words ?? []).map((word) => `,${word}`).join('')}'`;
}

function list(candidates: readonly Candidate[]): string {
  return candidates.map(({ word, description }) => quoted(`${word.replaceAll(':', '\\:')}:${description}`)).join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
