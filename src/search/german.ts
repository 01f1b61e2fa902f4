import { NOTHING_IN_GERMAN, stopKind, TELLS_GERMAN } from './stop-words.js';

/*
 * German words, beside what `words.ts` makes of them. A note in German also has terms of its own, which begin with a mark: the
 * stem of a word, and the parts of a compound. So "Migrationen der Datenbank" finds "Datenbankmigration", while no English
 * word is ever taken for a German one.
 */

export const MARK = '~';

const WORD = /\p{L}+/gu;
/** The beginning of a text tells its language. */
const BEGINNING = 400;
const ENOUGH = 3;

export function isGerman(text: string): boolean {
  const beginning = text.slice(0, BEGINNING).normalize();
  return areGerman(beginning.toLowerCase().match(WORD) ?? []);
}

const UMLAUT = /[\u00e4\u00f6\u00fc\u00df]/;

/** Whether one word of a text, in lower case, is German for certain, and others or a letter of it say so too. */
export function areGerman(words: readonly string[]): boolean {
  let certain = 0;
  let others = 0;
  for (const word of words) {
    const kind = stopKind(word);
    if ((kind & TELLS_GERMAN) !== 0) certain++;
    else if ((kind & NOTHING_IN_GERMAN) !== 0) others++;
  }
  if (certain === 0) return false;
  return (
    2 * certain + others >= ENOUGH || (2 * certain + others + 1 >= ENOUGH && words.some((word) => UMLAUT.test(word)))
  );
}

/** The terms of all words of a German text, with repeats. */
export function germanTermsOf(text: string): readonly string[] {
  return [...text.normalize().matchAll(WORD)].flatMap(([word]) => {
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
  if (word.length < SHORTEST || (stopKind(lower) & TELLS_GERMAN) !== 0) return NONE;
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
  const withoutEnding = (isNoun ? folded : folded.replace(PARTICIPLE, '$1'))
    .replace(/(?<=.{4})(?:ung(?:en|s)?|(?:heit|keit)(?:en|s)?)$/, '')
    .replace(/(?<=.{4})(?:ern|em|en|er|es|e|n|s)$/, '')
    .replace(/(?<=.{4})et$/, '')
    .replace(/(?<=.{4})t$/, '');
  return VOWELS.reduce((stem, [pattern, vowel]) => stem.replace(pattern, vowel), withoutEnding);
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
