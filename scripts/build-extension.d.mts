/** The path of the .vsix, made anew unless it is up to date. */
export function packageExtension(): Promise<string>;
