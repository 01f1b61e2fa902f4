/** What an agent may see of the repository: nothing outside, of git, of the state, or named like a file of secrets. */
export interface Files {
  /** Lines of a text file, numbered from 1. INVALID_INPUT if it may not be read, NOT_FOUND if there is none. */
  read(request: { readonly path: string; readonly from?: number; readonly lines?: number }): Promise<string>;
  /** The files and folders below a folder, one a line. */
  list(request: { readonly folder?: string }): Promise<string>;
  /** The lines that contain a text, as `path:line: content`. */
  search(request: { readonly text: string; readonly folder?: string }): Promise<string>;
}
