/*
 * The packages that speak to GitHub, in one place. They are slow to load: everything else here imports this file when
 * GitHub is called for the first time, and the build keeps it in a file of its own.
 */
export { Octokit } from '@octokit/core';
export { throttling } from '@octokit/plugin-throttling';
