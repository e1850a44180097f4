// Who a request acts for.

/** Roles, from the most to the least that they allow. */
export const roles = ['admin', 'editor', 'viewer', 'guest'] as const;

/** What a user may do in the workspace. */
export type Role = (typeof roles)[number];

/** The user a request acts for. */
export interface Viewer {
  /** The user's id. */
  readonly id: string;
  readonly workspaceId: string;
  readonly role: Role;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Teams the user is a member of. */
  readonly teamIds: readonly string[];
  /** How the request came in: API for a key, USER for a person in the product, SYSTEM for a job. */
  readonly performer: 'API' | 'USER' | 'SYSTEM';
  /** Id of the API key that the request came with, where it came with one. */
  readonly keyId?: string;
  /** Id of the session that the request belongs to, where a person is signed in. */
  readonly sessionId?: string;
}

/** Whether a string is the name of a role. */
export function isRole(value: string): value is Role {
  return roles.some((role) => role === value);
}

/** The id of the server itself where it acts for no one: no user has it. */
export const serverId = '00000000-0000-0000-0000-000000000000';

/** The server itself, for what it does in a workspace on no one's behalf. */
export function serverViewer(workspaceId: string): Viewer {
  return {
    id: serverId,
    workspaceId,
    role: 'admin',
    email: '',
    firstName: 'Headwater',
    lastName: '',
    teamIds: [],
    performer: 'SYSTEM',
  };
}
