import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Permissions, permissionProblem } from './permission-problem.js';

const ME = 1000;

/** Files with their owners; folders end with a slash. The content of a closed folder cannot be seen. */
function given(owners: Readonly<Record<string, number>>, closed: readonly string[] = []): Permissions {
  const isHidden = (path: string): boolean =>
    path !== dirname(path) && (isClosed(dirname(path)) || isHidden(dirname(path)));
  const isClosed = (path: string): boolean => closed.includes(path);
  return {
    user: ME,
    userName: () => 'me',
    look(path) {
      const uid = isHidden(path) ? undefined : (owners[path] ?? owners[`${path}/`]);
      return uid === undefined ? undefined : { uid, isDirectory: () => owners[`${path}/`] !== undefined };
    },
    mayUse: (path) => !isClosed(path),
  };
}

describe('what the operating system denied', () => {
  it('about a file of another user is told with how to make everything of ours yours again', () => {
    const there = given({ '/p/.agentx/': ME, '/p/.agentx/state/': ME, '/p/.agentx/state/a.json': 0 });
    expect(permissionProblem('/p/.agentx/state/a.json', there)).toBe(
      '/p/.agentx/state/a.json belongs to root, not to you. To make it yours: sudo chown -R me /p/.agentx',
    );
  });

  it('names the folder where that is what is closed', () => {
    const there = given({ '/p/.agentx/': ME, '/p/.agentx/state/': 7 }, ['/p/.agentx/state']);
    expect(permissionProblem('/p/.agentx/state/runs/issue-1.json', there)).toBe(
      '/p/.agentx/state belongs to another user (uid 7), not to you. To make it yours: sudo chown -R me /p/.agentx',
    );
  });

  it('names the folder of another user around a file that is yours', () => {
    const there = given({ '/p/.agentx/issues/': 0, '/p/.agentx/issues/1.json': ME });
    expect(permissionProblem('/p/.agentx/issues/1.json', there)).toContain('/p/.agentx/issues belongs to root');
  });

  it('about what is yours is told with how to open it, in words that a shell takes', () => {
    const there = given({ "/my p's/.agentx/": ME }, ["/my p's/.agentx"]);
    expect(permissionProblem("/my p's/.agentx/config.toml", there)).toBe(
      `/my p's/.agentx is yours, but closed to you. To open it: chmod -R u+rwX '/my p'\\''s/.agentx'`,
    );
  });

  it.each([
    ['/h/.local/state/agentx/trust.json', '/h/.local/state/agentx'],
    ['/h/.local/state/agentx', '/h/.local/state/agentx'],
    ['/h/.local/state', '/h/.local/state'],
    ['/h/.local', '/h/.local'],
  ])("about the user's approvals is told with how to make them yours: %s", (place, whole) => {
    expect(permissionProblem('/h/.local/state/agentx/trust.json', given({ [place]: 0, '/h/': ME }))).toBe(
      `${place} belongs to root, not to you. To make it yours: sudo chown -R me ${whole}`,
    );
  });

  it('about a folder that is none of ours is told without a command that takes it from its owner', () => {
    for (const place of ['/etc', '/h/.local/share']) {
      const there = given({ [`${place}/`]: 0 });
      expect(permissionProblem(`${place}/.agentx/config.toml`, there)).toBe(`${place} belongs to root, not to you.`);
    }
  });

  it('says nothing more where nothing is wrong with what can be seen, or there are no users', () => {
    expect(permissionProblem('/p/a.json', given({ '/p/': ME, '/p/a.json': ME }))).toBeUndefined();
    expect(permissionProblem('/p/a.json', { ...given({ '/p/': 0 }), user: undefined })).toBeUndefined();
  });
});
