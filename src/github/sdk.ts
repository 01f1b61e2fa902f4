/*
 * The packages that speak to GitHub, in one place. They are slow to load. So the other files of this room import this
 * file when GitHub is called for the first time, and the build keeps it in a file of its own.
 */
export { Octokit } from '@octokit/core';
export { throttling } from '@octokit/plugin-throttling';
