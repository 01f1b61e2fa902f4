import { describe, expect, it } from 'vitest';
import { table } from './table.js';

const ROWS = [
  ['CLR-42-001', '#42', 'Retention of audit logs', 'pending'],
  ['CLR-42-0020', '#42', 'Login', 'escalated'],
];

describe('table', () => {
  it('puts columns side by side, each as wide as its widest cell', () => {
    expect(table(ROWS, { width: 80, flexible: 2 })).toEqual([
      'CLR-42-001   #42  Retention of audit logs  pending',
      'CLR-42-0020  #42  Login                    escalated',
    ]);
  });

  it('cuts the flexible column and no other, be it the widest or not', () => {
    expect(table(ROWS, { width: 45, flexible: 2 })).toEqual([
      'CLR-42-001   #42  Retention of a..  pending',
      'CLR-42-0020  #42  Login             escalated',
    ]);
    const wideIds = ROWS.map(([id, ...rest]) => [`${id}-${'9'.repeat(30)}`, ...rest]);
    for (const line of table(wideIds, { width: 72, flexible: 2 })) expect(line).toMatch(/^CLR-42-\d+-9{30} /);
  });

  it('goes on below where even that does not fit, with nothing beyond the width', () => {
    const lines = table(ROWS, { width: 30, flexible: 2 });
    expect(lines).toEqual([
      'CLR-42-001   #42  Retention ..\n      pending',
      'CLR-42-0020  #42  Login\n      escalated',
    ]);
    const [narrow] = table(ROWS, { width: 18, flexible: 2 });
    expect(narrow).toBe('CLR-42-001   #42\n      Retention ..\n      pending');
    expect(table(ROWS, { width: 4 })[1]).toBe('CLR-42-0020\n      #42\n      Login\n      escalated');
  });

  it('gives the flexible column the room that is left when others have moved below', () => {
    expect(table(ROWS, { width: 34, flexible: 2 })).toEqual([
      'CLR-42-001   #42  Retention of a..\n      pending',
      'CLR-42-0020  #42  Login\n      escalated',
    ]);
    const blocked = [
      ['  ', '#1', 'feature', 'Health endpoint', 'BLOCKED: Question oq-4db99fe1b690c271 pending from you'],
    ];
    expect(table(blocked, { width: 80, flexible: 3 })).toEqual([
      '    #1  feature  Health endpoint\n      BLOCKED: Question oq-4db99fe1b690c271 pending from you',
    ]);
    expect(table([['#42', 'pending', 'Retention of audit logs']], { width: 20, flexible: 2 })).toEqual([
      '#42  pending\n      Retention of..',
    ]);
  });

  it('names only the columns that stand side by side', () => {
    const rows = [['ID', 'ISSUE', 'TOPIC', 'STATUS'], ...ROWS];
    expect(table(rows, { width: 32, flexible: 2, hasHead: true }).slice(0, 2)).toEqual([
      'ID           ISSUE  TOPIC',
      'CLR-42-001   #42    Retention ..\n      pending',
    ]);
  });

  it('keeps columns in line whatever they are written in', () => {
    const rows = [
      ['\u6587\u5b57', 'a'],
      ['text', 'b'],
      ['cafe\u0301', 'c'],
    ];
    expect(table(rows, { width: 80 })).toEqual(['\u6587\u5b57  a', 'text  b', 'cafe\u0301  c']);
    expect(table([['\u6587'.repeat(10), 'a']], { width: 15, flexible: 0 })).toEqual([`${'\u6587'.repeat(5)}..  a`]);
  });

  it('leaves no gap for a column that is empty', () => {
    expect(table([['a', '', 'b']], { width: 4, flexible: 0 })).toEqual(['a    b']);
    expect(table([], { width: 80 })).toEqual([]);
  });
});
