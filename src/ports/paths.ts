/** Whether something that an agent cites is there. */
export interface Paths {
  /** A file or folder of the repository; what lies outside of it is not there. A leading slash means its root. */
  exists(path: string): Promise<boolean>;
  /** Whether a file of this name is anywhere in the repository. */
  isNameOfFile(name: string): Promise<boolean>;
}
