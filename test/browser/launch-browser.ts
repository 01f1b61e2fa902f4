import type { TestProject } from 'vitest/node';
import { launchBrowserServer } from '../../scripts/browser.mjs';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the browser that all tests share; each person has a context of their own in it. */
    browser: string;
  }
}

/** Launching a browser costs more than most tests do, so one serves the whole run. */
export default async function launchBrowser(project: TestProject): Promise<() => Promise<void>> {
  const server = await launchBrowserServer();
  project.provide('browser', server.wsEndpoint());
  return () => server.close();
}
