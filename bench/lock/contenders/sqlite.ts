import { join } from 'node:path';
import Database, { type Statement } from 'better-sqlite3';
import { countOf, ledgerFromText, ledgerToText, makeLedger, touch } from '../../ledger.js';
import type { Contender, Place } from '../contender.js';

/** One row that holds the ledger as text; each update is a transaction of its own. */
export const contender: Contender = {
  prepare(place) {
    const database = open(place);
    database.exec('CREATE TABLE ledgers (text TEXT NOT NULL)');
    database.prepare('INSERT INTO ledgers (text) VALUES (?)').run(ledgerToText(makeLedger()));
    database.close();
  },
  openWriter(place) {
    const database = open(place);
    const select = database.prepare('SELECT text FROM ledgers');
    const update = database.prepare('UPDATE ledgers SET text = ?');
    const transaction = database.transaction(() => update.run(ledgerToText(touch(ledgerFromText(readText(select))))));
    return { update: () => transaction.immediate(), close: () => database.close() };
  },
  openReader(place) {
    const database = open(place);
    const select = database.prepare('SELECT text FROM ledgers');
    return { count: () => countOf(ledgerFromText(readText(select))), close: () => database.close() };
  },
};

function open({ folder, sync }: Place): Database {
  const database = new Database(join(folder, 'ledger.sqlite'), { timeout: 30_000 });
  database.pragma('journal_mode = WAL');
  database.pragma(`synchronous = ${sync ? 'FULL' : 'OFF'}`);
  return database;
}

function readText(select: Statement): string {
  const row = select.get();
  if (typeof row === 'object' && row !== null && 'text' in row && typeof row.text === 'string') return row.text;
  throw new Error('The table has lost its row.');
}
