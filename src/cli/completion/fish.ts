import { type Candidate, type Place, valuedOptions } from './candidates.js';
import type { Value } from './values.js';

/** A function finds the place of the cursor and the number of the argument. Each line offers candidates there. */
export function fishScript(places: readonly Place[]): string {
  const paths = places.map(({ path }) => path).filter((path) => path !== '');
  const lines = places.flatMap((place) => offers(place));
  return `# Completion of agentx for fish: agentx completion fish > ~/.config/fish/completions/agentx.fish
function __agentx_at
  set -l place ''
  set -l count 0
  set -l skip 0
  for word in (commandline -opc)[2..-1]
    if test $skip = 1
      set skip 0
    else if contains -- "$word" ${valuedOptions(places).join(' ')}
      set skip 1
    else if contains -- "$place/$word" ${paths.join(' ')}
      set place "$place/$word"
    else if not string match -q -- '-*' "$word"
      set count (math $count + 1)
    end
  end
  test "$place" = "$argv[1]"; and begin; test -z "$argv[2]"; or test $count $argv[2] $argv[3]; end
end
function __agentx_offers
  set -l words (commandline -opc) (commandline -ct)
  $words[1] complete $argv[1] $words[2..-1] 2>/dev/null
end
complete -c agentx -f
${lines.join('\n')}
`;
}

function offers({ path, words, options, values, more }: Place): readonly string[] {
  const at = (place: string) => `complete -c agentx -n "__agentx_at ${place}"`;
  return [
    ...words.map(({ word, description }) => `${at(`'${path}'`)} -f -a ${quoted(word)} -d ${quoted(description)}`),
    ...values.map((value, index) => `${at(`'${path}' ${value === more ? '-ge' : '='} ${index}`)}${valueText(value)}`),
    ...options.map((option) => `${at(`'${path}'`)} ${flagsOf(option)} -d ${quoted(option.description)}`),
  ];
}

function flagsOf({ word, short, takesValue, value = {} }: Candidate): string {
  const names = `${short ? `-s ${short.replace(/^-/, '')} ` : ''}-l ${word.replace(/^--/, '')}`;
  return takesValue ? `-r${valueText(value)} ${names}` : names;
}

function valueText({ kind, words = [] }: Value): string {
  if (kind === 'files') return ' -F';
  if (kind === 'folders') return " -f -a '(__fish_complete_directories (commandline -ct))'";
  if (kind !== undefined) return ` -f -a '(__agentx_offers ${kind})'`;
  return words.length > 0 ? ` -f -a '${words.join(' ')}'` : ' -f';
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
