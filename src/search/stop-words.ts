/*
 * Words that carry nothing, and what they tell about the language of a text. The table is made with the first word: every
 * command loads this file, and few look for words.
 */

/** Never searched, unless a query has nothing else. */
export const CARRIES_NOTHING = 1;
export const TELLS_ENGLISH = 2;
export const TELLS_GERMAN = 4;
/** Carries nothing in a text that is German; elsewhere it may be a word or a name. */
export const NOTHING_IN_GERMAN = 8;

/** Words of time and place, such as "before" and "under", carry something. */
const ENGLISH =
  'a about all also and any are as at be because been being both but by can could did do does doing down each few ' +
  'for from further had has have having he her here hers him his how i if into is it its itself just let me more ' +
  'most my no nor not now of off on or other our ours out own she should some such than that the their theirs them ' +
  'then there these they this those through to too up upon very we were what when where which while who whom why ' +
  'with would you your yours shall may might must us via per etc ' +
  // What is left of "don't", "it's" and "we'll".
  's t d m ll re ve don doesn didn isn aren wasn weren couldn wouldn shouldn hasn haven hadn';

/** They tell nothing about the language. */
const OF_BOTH = 'am an in so was will';

const GERMAN =
  'aber als auch auf aus beim bis dabei daher damit dann dass dein deine deinem deinen deiner denn der deren dessen deshalb diese ' +
  'diesem diesen dieser dieses doch dort duerfen durch durfte durften eben ein eine einem einen einer eines einige etwas euch ' +
  'euer fuer gegen gibt gilt habe haben hatte hatten hier ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ins innerhalb ja jede jedem ' +
  'jeden jeder jedes jetzt kann kannst kein keine keinem keinen keiner koennen konnte mehr mein meine muessen muss musste nach ' +
  'nachdem nicht nichts nie noch nun nur obwohl oder ohne schon sehr seit sich sie sind sobald sodass sofern soll sollen sollte ' +
  'sollten sondern sowie statt ueber und uns unser unsere unserem unseren unserer vom von vor waehrend waere waren warum weder ' +
  'wegen weil weiter welche welchem welchen welcher welches wenn wer werden wessen weshalb wie wieder wieso wir wird wofuer wonach ' +
  'worden wozu wurde wurden zu zum zur zwar zwischen';

const GERMAN_ALONE = 'ab bei das dem den des die du er es hat im ist man mit ob sein um war wo';

let kinds: ReadonlyMap<string, number> | undefined;

/** What a word in lower case is: 0, or some of the kinds above. */
export function stopKind(lower: string): number {
  kinds ??= kindsByWord();
  return kinds.get(lower) ?? 0;
}

function kindsByWord(): ReadonlyMap<string, number> {
  const withUmlauts = GERMAN.replaceAll('ae', '\u00e4').replaceAll('oe', '\u00f6').replaceAll('ue', '\u00fc');
  const kinds = new Map<string, number>();
  for (const [list, kind] of [
    [ENGLISH, CARRIES_NOTHING | TELLS_ENGLISH],
    [OF_BOTH, CARRIES_NOTHING],
    [GERMAN, CARRIES_NOTHING | TELLS_GERMAN],
    [withUmlauts, CARRIES_NOTHING | TELLS_GERMAN],
    [GERMAN_ALONE, NOTHING_IN_GERMAN],
  ] as const)
    for (const word of list.split(' ')) kinds.set(word, kind);
  return kinds;
}
