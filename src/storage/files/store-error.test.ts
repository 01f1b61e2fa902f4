import { describe, expect, it } from 'vitest';
import { AgentXError } from '../../protocol/errors.js';
import { asStoreError } from './store-error.js';

const refusal = (code: string, syscall: string) =>
  Object.assign(new Error(`${code}: as the system says it, ${syscall} '/x'`), { code, syscall });

describe('what the operating system refused', () => {
  it.each([
    ['ENOSPC', 'write', 'the disk is full'],
    ['EROFS', 'open', 'the file system is read-only'],
    ['ENOENT', 'mkdir', 'its folder cannot be made; the file system may be read-only'],
    ['EEXIST', 'mkdir', 'there is a file where a folder has to be'],
    ['ENOENT', 'open', 'it, or the folder it is in, was removed meanwhile'],
  ])('is told in words: %s of %s', (code, syscall, reason) => {
    const error = asStoreError('write', '/x/y.json', refusal(code, syscall));
    expect(error).toMatchObject({ code: 'STORE_ERROR', details: { path: '/x/y.json', cause: code } });
    expect(error.message).toBe(`Cannot write /x/y.json: ${reason}.`);
  });

  it('is passed on if it is our own', () => {
    const own = new AgentXError('CORRUPT_FILE', 'damaged');
    expect(asStoreError('read', '/x', own)).toBe(own);
  });
});
