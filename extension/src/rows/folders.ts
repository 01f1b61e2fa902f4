import { noticeText } from './notice-text.js';

interface Folder {
  readonly name: string;
  readonly uri: { readonly scheme: string; readonly fsPath: string };
}

/** The folders of a window that are on a disk. Others, such as one that the editor reads from a web site, have no path. */
export function foldersOnDisk<T extends Folder>(folders: readonly T[] = []): readonly T[] {
  return folders.filter(({ uri }) => uri.scheme === 'file');
}

/** What a person chooses from. */
export function folderChoices<T extends Folder>(folders: readonly T[]) {
  return foldersOnDisk(folders).map((folder) => ({
    label: noticeText(folder.name),
    description: folder.uri.fsPath,
    folder,
  }));
}
