/*
 * German words, beside what `words.ts` makes of them. A note in German also has terms of its own, which begin with a mark: the
 * stem of a word, and the parts of a compound. So "Migrationen der Datenbank" finds "Datenbankmigration", while no English
 * word is ever taken for a German one.
 */

const MARK = '~';

/** Words that carry nothing and that English does not have. */
const STOP_WORDS =
  'aber als auch auf aus beim bis dabei daher damit dann dass dein deine deinem deinen deiner denn der deren dessen deshalb diese ' +
  'diesem diesen dieser dieses doch dort duerfen durch durfte durften eben ein eine einem einen einer eines einige etwas euch ' +
  'euer fuer gegen gibt gilt habe haben hatte hatten hier ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ins innerhalb ja jede jedem ' +
  'jeden jeder jedes jetzt kann kannst kein keine keinem keinen keiner koennen konnte mehr mein meine muessen muss musste nach ' +
  'nachdem nicht nichts nie noch nun nur obwohl oder ohne schon sehr seit sich sie sind sobald sodass sofern soll sollen sollte ' +
  'sollten sondern sowie statt ueber und uns unser unsere unserem unseren unserer vom von vor waehrend waere waren warum weder ' +
  'wegen weil weiter welche welchem welchen welcher welches wenn wer werden wessen weshalb wie wieder wieso wir wird wofuer wonach ' +
  'worden wozu wurde wurden zu zum zur zwar zwischen';
/** Those that are also English words, or names. */
const SHARED_STOP_WORDS = 'ab bei das dem den des die du er es hat im ist man mit ob sein um war wo';

export const GERMAN_STOP_WORDS: ReadonlySet<string> = spelledBothWays(STOP_WORDS);
const SHARED: ReadonlySet<string> = new Set(SHARED_STOP_WORDS.split(' '));

/** With umlauts and without. */
function spelledBothWays(words: string): ReadonlySet<string> {
  const umlauts = words.replaceAll('ae', '\u00e4').replaceAll('oe', '\u00f6').replaceAll('ue', '\u00fc');
  return new Set([...words.split(' '), ...umlauts.split(' ')]);
}

const WORD = /\p{L}+/gu;
/** The beginning of a text tells its language. */
const BEGINNING = 400;
const ENOUGH = 3;

/** Whether one word of a text is German for certain, and others or its letters say so too. */
export function isGerman(text: string): boolean {
  const beginning = text.slice(0, BEGINNING);
  let certain = 0;
  let others = /[\u00e4\u00f6\u00fc\u00df]/i.test(beginning) ? 1 : 0;
  for (const [word] of beginning.matchAll(WORD)) {
    const lower = word.toLowerCase();
    if (GERMAN_STOP_WORDS.has(lower)) certain++;
    else if (SHARED.has(lower)) others++;
    if (certain > 0 && 2 * certain + others >= ENOUGH) return true;
  }
  return false;
}

/** What carries nothing in a text that is German; elsewhere it may be a word. */
export function isSharedStopWord(lower: string): boolean {
  return SHARED.has(lower);
}

/** The terms of all words of a German text, with repeats. */
export function germanTermsOf(text: string): readonly string[] {
  return [...text.matchAll(WORD)].flatMap(([word]) => {
    const { stem, parts } = germanForms(word);
    return stem === undefined ? [] : [stem, ...parts];
  });
}

interface GermanForms {
  /** Undefined for what is no German word. */
  readonly stem?: string;
  /** Of a compound. */
  readonly parts: readonly string[];
}

const NONE: GermanForms = { parts: [] };
const SHORTEST = 4;

export function germanForms(word: string): GermanForms {
  const lower = word.toLowerCase();
  if (word.length < SHORTEST || GERMAN_STOP_WORDS.has(lower)) return NONE;
  const folded = fold(lower);
  if (!/^[a-z]+$/.test(folded)) return NONE;
  const isNoun = !word.startsWith(lower.charAt(0));
  const [, head, tail] = COMPOUND.exec(folded) ?? [];
  const parts = head === undefined || tail === undefined ? [] : [head, tail];
  return { stem: `${MARK}${stemOf(folded, isNoun)}`, parts: parts.map((part) => `${MARK}${stemOf(part, true)}`) };
}

/** Umlauts change with the form of a word, and are written in two ways. */
function fold(lower: string): string {
  return lower
    .replaceAll('\u00df', 'ss')
    .normalize('NFD')
    .replace(/\u0308/g, '')
    .replace(/ae|oe|(?<![aeq])ue/g, (pair) => pair.charAt(0));
}

const PARTICIPLE = /^(ab|an|auf|aus|bei|ein|frei|hoch|los|mit|nach|um|vor|weg|zu|zuruck)?ge(?=[a-z]{3,}(?:t|en)$)/;
/** Nouns and past forms whose vowel is not that of their verb. */
const VOWELS: readonly (readonly [RegExp, string])[] = [
  [/gab$/, 'geb'],
  [/n(?:ahm|omm)$/, 'nehm'],
  [/griff$/, 'greif'],
  [/stieg$/, 'steig'],
  [/schrieb$/, 'schreib'],
  [/schloss$/, 'schliess'],
  [/(?<=.{3})b(?:ru|ra|ro)ch$/, 'brech'],
  [/(?<=.{3})b(?:und|and)$/, 'bind'],
  [/(?:fund|fand)$/, 'find'],
  [/w(?:ur|or|ar)f$/, 'werf'],
  [/schied$/, 'scheid'],
  [/verlor$/, 'verlier'],
];

/** Endings of plurals, cases, verbs and of nouns that are made of verbs. */
function stemOf(folded: string, isNoun: boolean): string {
  const bare = (isNoun ? folded : folded.replace(PARTICIPLE, '$1'))
    .replace(/(?<=.{4})(?:ung(?:en|s)?|(?:heit|keit)(?:en|s)?)$/, '')
    .replace(/(?<=.{4})(?:ern|em|en|er|es|e|n|s)$/, '')
    .replace(/(?<=.{4})et$/, '')
    .replace(/(?<=.{4})t$/, '');
  return VOWELS.reduce((stem, [pattern, vowel]) => stem.replace(pattern, vowel), bare);
}

/** What compounds of software teams end with; what stands before it may be any word. */
const TAILS =
  'abdeckung adresse anbieter anfrage antwort anzahl anzeige aufgabe auftrag ausgabe auswahl bericht berechtigung beschreibung ' +
  'bestand bestellung bild code datei daten datum dauer dienst eingabe eintrag ereignis fehler feld fenster filter format frist ' +
  'funktion gebuhr grenze grosse gruppe index inhalt kennung klasse komponente konto kosten kunde lauf lieferung liste meldung ' +
  'menge migration modell modul modus muster nachricht name nummer objekt ordner paket parameter pfad pool position preis ' +
  'protokoll prozess prufung puffer quelle rechner rechnung recht regel reihenfolge rolle satz schicht schlange schlussel ' +
  'schnittstelle schritt schutz seite server sicherung sitzung skript speicher sperre sprache status steuerung strategie suche ' +
  'summe system tabelle team test text token treffer ubersicht umgebung verbindung verbrauch verfahren vergleich verlauf version ' +
  'versuch vertrag verwaltung verzeichnis vorgang vorlage wert zahlung zeichen zeile zeit ziel zone zugriff zustand zweig';
const COMPOUND = new RegExp(
  `^(?!(?:unter|uber|nach|wieder|zuruck)(?:${TAILS.replaceAll(' ', '|')}))([a-z]{4,}?)(${TAILS.replaceAll(' ', '|')})(?:en|ern|es|er|e|n|s)?$`,
);
