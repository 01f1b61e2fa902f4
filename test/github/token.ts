/** The one that the fake takes. */
export const TOKEN = 'ghp_fakefakefakefakefakefakefakefakefake';
