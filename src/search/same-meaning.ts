import { baseForm } from './word-forms.js';

/*
 * Words that mean the same, or nearly, in the language of software teams. A query is also searched by the others of its group,
 * which count less: "db" means "database", and "delete" may mean "remove". The list is short on
 * purpose. A word that has several meanings is left out: what it would find beside the right notes costs more than it gains.
 */

export interface Alternative {
  readonly term: string;
  /** How much it counts; the word itself counts 1. */
  readonly weight: number;
}

const SAME = 0.8;
const SIMILAR = 0.4;

const ABBREVIATIONS = `
admin administrator; app application; async asynchronous; auth authentication; bike bicycle; cert certificate; char character;
config configuration; db database; deps dependency; dev development; dir directory; doc docs documentation; env environment; err error;
exam examination; func function; grandma grandmother; grandpa grandfather; img image; impl implementation; info information;
js javascript; k8s kubernetes; kid child; lab laboratory; lib library; mail email; max maximum; mem memory; min minimum; mom mum mother;
dad father; msg message; num number; org organisation; param parameter; perf performance; perm permission; pg postgres postgresql;
phone telephone; photo photograph; prod production; py python; ref reference; repo repository; req request; resp response; sec second;
spec specification; stats statistics; sync synchronise; temp temporary; ts typescript; tv television; tx transaction; uni university;
util utility; val value; var variable`;

const SYNONYMS = `
amount cost money price; abort stop terminate; attempt retry try; autumn fall; begin boot launch start; broker queue;
brother sibling sister; browser chrome firefox safari; bug defect fault; bump upgrade; cap ceiling limit maximum quota; car vehicle;
choose decide pick select; ci pipeline; class course lesson; client customer; colour palette theme; combine merge; container pod;
crash error exception failure; create generate; credential password secret; cure fix repair resolve solve; delete drop erase purge remove;
deny refuse reject; directory folder; display render show; dog pet puppy; expire lifetime timeout; fetch retrieve; film movie;
frontend ui; gift present; heap memory; holiday trip vacation; image photo picture; issue ticket; job task; keep retain retention;
latency performance slow speed; login signin authentication; maintainer owner; apartment flat; marry wedding; replace swap;
configuration settings; travel trip`;

/** By term; made with the first search. */
let alternatives: ReadonlyMap<string, readonly Alternative[]> | undefined;

const NONE: readonly Alternative[] = [];

/** What else a searched word may be called. */
export function alternativesOf(term: string): readonly Alternative[] {
  alternatives ??= alternativesByTerm();
  return alternatives.get(term) ?? NONE;
}

function alternativesByTerm(): ReadonlyMap<string, readonly Alternative[]> {
  const byTerm = new Map<string, Alternative[]>();
  for (const [lists, weight] of [
    [ABBREVIATIONS, SAME],
    [SYNONYMS, SIMILAR],
  ] as const) {
    for (const list of lists.split(';')) {
      const terms = [...new Set(list.trim().split(/\s+/).map(baseForm))];
      for (const term of terms) {
        const others = byTerm.get(term) ?? [];
        byTerm.set(term, others);
        for (const other of terms)
          if (other !== term && !others.some((known) => known.term === other)) others.push({ term: other, weight });
      }
    }
  }
  return byTerm;
}
