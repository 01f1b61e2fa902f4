import { expect, it } from 'vitest';
import { folderChoices, foldersOnDisk } from './folders.js';

const SHOP = { name: 'shop', uri: { scheme: 'file', fsPath: '/work/shop' } };
const VIRTUAL = { name: 'far', uri: { scheme: 'vscode-vfs', fsPath: '/octocat/far' } };
const BANK = { name: 'bank', uri: { scheme: 'file', fsPath: '/work/bank' } };

it('offers the folders that are on a disk, and no virtual one', () => {
  expect(folderChoices([SHOP, VIRTUAL, BANK])).toEqual([
    { label: 'shop', description: '/work/shop', folder: SHOP },
    { label: 'bank', description: '/work/bank', folder: BANK },
  ]);
  expect(foldersOnDisk([VIRTUAL])).toEqual([]);
  expect(foldersOnDisk(undefined)).toEqual([]);
});
