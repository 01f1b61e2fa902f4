import { baseForm } from './word-forms.js';

/*
 * Words that mean the same, or nearly, in the language of software teams. A query is also searched by the others of its group,
 * which count less: "db" means "database", and "delete" may mean "remove". A word that has several meanings is loose: where
 * many notes have the word itself, what its synonyms find beside the right notes costs more than it gains.
 */

export interface Alternative {
  readonly term: string;
  /** How much it counts; the word itself counts 1. */
  readonly weight: number;
  /** Nearly the same in most notes, and something else in some. */
  readonly isLoose: boolean;
}

const SAME = 0.8;
const SIMILAR = 0.4;

const ABBREVIATIONS = `
a11y accessibility; admin administrator; app application; approx approximate; async asynchronous; auth authentication authorisation;
avg average; bike bicycle; calc calculate; cert certificate; cfg config configuration; char character; cmd command; conn connection;
ctx context; db database; del delete; deps dependency; dest destination; dev development; diff difference; dir directory;
doc docs documentation; dup dupe duplicate; elem element; env environment; err error; evt event; exam examination; exec execute;
fmt format; fn func function; freq frequency; grandma grandmother; grandpa grandfather; hw hardware; i18n internationalisation; idx index;
img image; impl implementation; info information; init initialise; js javascript; k8s kubernetes; kid child; l10n localisation;
lab laboratory; len length; lib library; mail email; max maximum; mem memory; mgmt management; mgr manager; min minimum;
mom mum mother; dad father; msg message; nav navigation; num number; o11y observability; obj object; opt option;
org organisation; param parameter; perf performance; perm permission; pg postgres postgresql; phone telephone smartphone;
photo photograph; pii personal; pkg package; pref preference; prev previous; prod production; prop property; pwd passwd password;
py python; qty quantity; ref reference; regex regexp; repo repository; req request; resp response; sched schedule; sec second;
sess session; spec specification; stats statistics; std standard; str string; svc service; sw software; sync synchronise; sys system;
temp tmp temporary; ts typescript; tv television; tx transaction; tz timezone; ui interface; uni university; util utility;
val value; var variable; ver version; ws websocket`;

const SYNONYMS = `
amount cost money price; abort stop terminate; attempt retry try; autumn fall; begin boot launch start; broker queue;
brother sibling sister; browser chrome firefox safari; bug defect fault; bump upgrade; cap ceiling limit maximum quota; car vehicle;
choose decide pick select; ci pipeline; class course lesson; client customer; colour palette theme; combine merge; container pod;
crash error exception failure; create generate; credential password secret; cure fix repair resolve solve; delete drop erase purge remove;
deny refuse reject; directory folder; display render show; dog pet puppy; expire lifetime timeout; fetch retrieve; film movie;
frontend ui; gift present; heap memory; holiday trip vacation; image photo picture; issue ticket; job task; keep retain retention;
latency performance slow speed; login signin authentication; maintainer owner; apartment flat; marry wedding; replace swap;
configuration settings; travel trip`;

/** They are searched only for a word that no note has, or few: what many have is what these notes call it. */
const LOOSE_SYNONYMS = `
accept approve confirm; access permission right; account profile user; accurate exact precise; add insert;
alarm alert notify warn; allow enable grant permit; announce publish release; answer reply respond; archive backup;
ask query request; audio sound; ban block disallow forbid prevent prohibit; batch bulk job; bill charge invoice;
border edge boundary; brief short; broken corrupt damaged; build compile; bundle package; buy order purchase; calculate compute;
cancel abort; change alter edit modify update; chart graph diagram; check inspect test validate verify; clean clear; clock time;
clone copy duplicate replicate twice; cloud aws azure gcp; code source; collect gather; column field; comment note;
complete end finish; compress gzip shrink zip; concurrent parallel simultaneous; condition requirement; consent permission;
consumer reader subscriber; contain include; control manage; convert migrate transform; correct right; country region;
cost expensive fee; cut decrease lower reduce; daily everyday; date day; deadline due; default fallback; defer delay postpone;
delay lag latency wait; deliver send ship; deploy rollout release; deprecated legacy obsolete; design layout; device hardware;
die crash kill; different other; digest checksum hash; disable deactivate; discount coupon voucher; disk storage drive;
document file page; download fetch; duplicate twice; employee staff colleague; encrypt cipher; endpoint url route;
enlarge expand extend grow increase raise; entry record row; environment stage staging; estimate forecast; exceed overflow;
experiment test; export dump; extra additional; fail break; false incorrect wrong; fast quick rapid speed; feature function;
find search lookup; flaky intermittent unstable; flag toggle switch; forbidden illegal; freeze hang stall stuck;
frequency interval period rate; group team; guest visitor; guide documentation; hardware device; hide invisible;
host machine node server; huge large big; id identifier; idle inactive; inform tell; install setup; isolate separate; key token;
kill terminate; language locale translation; large size big; law legal regulation; library dependency package;
license subscription; link url; list table; live production; location place position; logout signout; log record; lost missing;
machine server; main primary master; manual hand; measure metric; merchant seller vendor; mistake error bug; mobile phone;
monitor observe watch; move migrate; multiple several many; mute silent quiet; network connection; new fresh; noise noisy;
number count; obsolete old stale outdated; offline disconnected; open start; outage downtime incident; override overwrite;
page screen view; partition shard; pause suspend; people user person; permanent forever; persist save store; personal privacy;
plan subscription; policy rule; postmortem incident; private secret; problem issue trouble; procedure process; profit revenue;
protect secure; provider vendor supplier; proxy gateway; random arbitrary; ready available; reason cause; reboot reset restart;
recent new last; recover restore; refund return; renew refresh; repeat again; replica copy; report summary; reset start;
result outcome; revert rollback undo; review approve; revoke invalidate; role permission; safe secure; scale size;
schedule cron; screen display; secret credential key; separate split; shop store; shut close off; sign login; site website;
skip omit ignore; software program; sort order; space capacity; status state; stream event; style css; tenant customer;
threshold limit; throttle limit; traffic load; transfer move send; translate language; trash bin; trigger cause; twice double;
type kind; unique distinct; unused dead; update upgrade; vat tax; version release revision; visitor user; wrong bad`;

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
  for (const [lists, weight, isLoose] of [
    [ABBREVIATIONS, SAME, false],
    [SYNONYMS, SIMILAR, false],
    [LOOSE_SYNONYMS, 0, true],
  ] as const) {
    for (const list of lists.split(';')) {
      const terms = [...new Set(list.trim().split(/\s+/).map(baseForm))];
      for (const term of terms) {
        const others = byTerm.get(term) ?? [];
        byTerm.set(term, others);
        for (const other of terms)
          if (other !== term && !others.some((alternative) => alternative.term === other))
            others.push({ term: other, weight, isLoose });
      }
    }
  }
  return byTerm;
}
