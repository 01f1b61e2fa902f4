import { expect, it } from 'vitest';
import { remoteIn } from './git-remote.js';

it.each([
  ['git@github.com:octocat/shop.git', 'github.com', 'octocat/shop'],
  ['https://github.com/octocat/shop', 'github.com', 'octocat/shop'],
  ['https://ada:secret@github.com/octocat/my.shop.git/', 'github.com', 'octocat/my.shop'],
  ['ssh://git@GitHub.Example.com:2222/octocat/shop.git', 'github.example.com', 'octocat/shop'],
])('finds the repository in %s', (address, host, repo) => {
  expect(remoteIn(address)).toEqual({ host, repo });
});

it.each(['', '/srv/git/shop.git', '../shop', 'file:///srv/shop.git', 'https://github.com/octocat'])(
  'finds none in %j',
  (address) => {
    expect(remoteIn(address)).toBeUndefined();
  },
);
