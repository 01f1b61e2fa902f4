import { stemmer } from 'stemmer';

/*
 * One form for all forms of a word. Endings are what the stemmer takes off; here are those that it cannot know: irregular verbs
 * and plurals, nouns that are spelled unlike their verb, British endings, and small numbers. Questions ask "did we choose", and
 * notes say "chose".
 */

const IRREGULAR = `
add added adding; analyse analysis analyses; become became; begin began begun; bend bent; bind bound; break broke broken; bring brought;
build built; buy bought; catch caught; child children; choose chose chosen choice; come came; criterion criteria; deal dealt;
decide decision; deliver delivery; die death dead; dig dug; discover discovery; draw drew drawn; drink drank drunk;
drive drove driven; eat ate eaten; expire expiry; fail failure; fall fell fallen; feed fed; feel felt; fight fought;
find found; fly flew flown flight; foot feet; forget forgot forgotten; freeze froze frozen; get got gotten; give gave given;
go went gone; grow grew grown growth; hang hung; hear heard; hide hid hidden; hold held; index indices; keep kept; know knew known;
lay laid; lead led; leave left; lend lent; light lit; live life lives alive; lose lost loss; make made; man men;
marry marriage; matrix matrices; mean meant; meet met; overwrite overwrote overwritten; override overrode overridden;
pay paid; person people; prove proof; rebuild rebuilt; recover recovery; register registry registration; rewrite rewrote rewritten;
ride rode ridden; rise rose risen; run ran; say said; see saw seen; seek sought; sell sold sale; send sent; shake shook shaken;
shoot shot; show shown; sing sang sung; sink sank sunk; sit sat; sleep slept; speak spoke spoken; spend spent;
stand stood; steal stole stolen; stick stuck; store storage; strike struck; sweep swept; swim swam swum; swing swung;
take took taken; teach taught; tear tore torn; tell told; think thought; throw threw thrown; understand understood; undo undid undone;
use usage; vertex vertices; wake woke woken; wear wore worn; win won; withdraw withdrew withdrawn; woman women; write wrote written`;

/** Nouns, adjectives and adverbs that the stemmer does not take back to the word that they are made of. */
const RELATED = `
acquire acquisition; advise advice; anonymous anonymise anonymity; believe belief; big bigger biggest; cheap cheaper cheapest;
clarify clarification; classify classification; close closure; collide collision; compare comparison; compatible compat;
complain complaint; comply compliance; conclude conclusion; consume consumption; convert conversion; day daily; deep deeper depth;
deny denial; describe description; destroy destruction; divide division; early earlier earliest; erase erasure; exceed excess;
exclude exclusion; expand expansion; explain explanation; expose exposure; extend extension; fast faster fastest; few fewer fewest;
good better best; bad worse worst; high higher highest height; hour hourly; identify identification; include inclusion;
large larger largest; log logger; long longer longest length; low lower lowest; maintain maintenance;
maximum maximal maximise; minimum minimal minimise; modify modification; month monthly; move movement; new newer newest latest;
night nightly overnight; notify notification; occur occurrence; old older oldest; omit omission; pay payment payer; perceive perception;
permit permission; plan planner; read reader; receive receipt reception; reduce reduction; resolve resolution; respond response;
retain retention; safe safer safety; scan scanner; send sender; ship shipment; short shorter shortest; sign signature; simple simplify;
slow slower slowest; small smaller smallest; solve solution; specify specification; strong stronger strength; submit submission;
subscribe subscription; succeed success; suspend suspension; transmit transmission; vary variant; verify verification;
week weekly; wide wider width; year yearly annual`;

const NUMBERS = `
0 zero; 1 one; 2 two twice; 3 three; 4 four; 5 five; 6 six; 7 seven; 8 eight; 9 nine; 10 ten; 11 eleven; 12 twelve; 15 fifteen;
20 twenty; 30 thirty; 40 forty; 50 fifty; 60 sixty; 90 ninety; 100 hundred; 1000 thousand`;

const LETTERS = /^[a-z]+$/;
/** Changed alike in notes and questions, it does no harm that some words have such an ending by chance. */
const BRITISH_ISE = /(?<=.{4})is(?=(?:e|es|ed|ing|er|ers|ation|ations)$)/;
const BRITISH_OUR = /(?<=.{3})our(?=(?:s|ed|ing|ful)?$)/;

/** Made with the first word: every command loads this file, and few look for words. */
let bases: ReadonlyMap<string, string> | undefined;

/** The form by which a word in lower case is searched. */
export function baseForm(lower: string): string {
  bases ??= basesByStem();
  const stemOfWord = stem(lower);
  return bases.get(stemOfWord) ?? stemOfWord;
}

/** By the stem of a form, that of the word that stands for it. */
function basesByStem(): ReadonlyMap<string, string> {
  return new Map(
    `${IRREGULAR};${RELATED};${NUMBERS}`.split(';').flatMap((line) => {
      const [base = '', ...forms] = line.trim().split(/\s+/);
      return forms.map((form) => [stem(form), stem(base)] as const);
    }),
  );
}

function stem(lower: string): string {
  return LETTERS.test(lower) ? stemmer(lower.replace(BRITISH_ISE, 'iz').replace(BRITISH_OUR, 'or')) : lower;
}
