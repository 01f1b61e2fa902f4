/** Whether something that an agent cites exists, where the issue is worked on. */
export interface Paths {
  /** A file or folder of the repository; nothing outside of it exists here. A leading slash means its root. */
  exists(path: string, issueNumber: number): Promise<boolean>;
  /** Whether a file of this name is anywhere in the repository. */
  isNameOfFile(name: string, issueNumber: number): Promise<boolean>;
}
