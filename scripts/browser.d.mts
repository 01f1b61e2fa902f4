import type { Browser, BrowserServer } from 'playwright-core';

export function launchBrowser(): Promise<Browser>;
export function launchBrowserServer(): Promise<BrowserServer>;
