import type { Place } from './candidates.js';

/** A function says at which place the cursor is; each line offers one word there. */
export function fishScript(places: readonly Place[]): string {
  const paths = places.map(({ path }) => path).filter((path) => path !== '');
  const lines = places.flatMap((place) => offers(place));
  return `# Completion of agentx for fish: agentx completion fish > ~/.config/fish/completions/agentx.fish
function __agentx_at
  set -l place ''
  for word in (commandline -opc)[2..-1]
    contains -- "$place/$word" ${paths.join(' ')}; and set place "$place/$word"
  end
  test "$place" = "$argv[1]"
end
${lines.join('\n')}
`;
}

function offers({ path, words, options }: Place): readonly string[] {
  const at = `complete -c agentx -n "__agentx_at '${path}'"`;
  return [
    ...words.map(({ word, description }) => `${at} -f -a ${quoted(word)} -d ${quoted(description)}`),
    ...options.map(
      ({ word, short, description, takesValue }) =>
        `${at}${takesValue ? ' -r' : ''}${short ? ` -s ${short.replace(/^-/, '')}` : ''} ` +
        `-l ${word.replace(/^--/, '')} -d ${quoted(description)}`,
    ),
  ];
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
