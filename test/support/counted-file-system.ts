import { type FileSystem, realFileSystem } from '../../src/storage/files/file-system.js';

/** The real file system, with a list of the calls it gets. */
export function countedFileSystem() {
  const calls: string[] = [];
  const fs = new Proxy<FileSystem>(
    { ...realFileSystem },
    {
      get(target, name, receiver) {
        calls.push(String(name));
        return Reflect.get(target, name, receiver);
      },
    },
  );
  return { fs, calls };
}
