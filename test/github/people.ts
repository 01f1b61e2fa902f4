/** Who may do what in the repository; `none` is for people who can only read and comment because it is public. */
export type Role = 'admin' | 'maintain' | 'write' | 'triage' | 'read' | 'none';

export interface Person {
  readonly login: string;
  readonly id: number;
  readonly type: 'User' | 'Bot';
  readonly role: Role;
}

const MAY_WRITE: readonly Role[] = ['admin', 'maintain', 'write'];
const MAY_TRIAGE: readonly Role[] = [...MAY_WRITE, 'triage'];

export const mayWrite = ({ role }: Person): boolean => MAY_WRITE.includes(role);
export const mayTriage = ({ role }: Person): boolean => MAY_TRIAGE.includes(role);

/** The older word for a role, which has fewer of them. */
export function permissionOf({ role }: Person): 'admin' | 'write' | 'read' | 'none' {
  if (role === 'maintain') return 'write';
  return role === 'triage' ? 'read' : role;
}
