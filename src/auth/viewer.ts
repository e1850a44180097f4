// Who a request acts for.

import type { Workspace } from '../generated/prisma/client.ts';
import type { Scoped } from './key-scope.ts';

/** Roles, from the most to the least that they allow. */
export const roles = ['admin', 'editor', 'viewer', 'guest'] as const;

/** What a user may do in the workspace. */
export type Role = (typeof roles)[number];

/** What lets a request or a piece of work act: a key, a session, a sign-in itself, or the server's own doing. */
export const credentials = ['API_KEY', 'SESSION', 'SIGN_IN', 'COMMAND', 'JOB', 'SERVER'] as const;

/** Kind of what lets something act. */
export type Credential = (typeof credentials)[number];

/** What a workspace may hold and write, as those who run the server set it; null for any number. */
export type WorkspaceLimits = Pick<
  Workspace,
  'resourceLimit' | 'monitorLimit' | 'writeLimit' | 'storageLimitMb'
>;

/** The user a request acts for. */
export interface Viewer extends Scoped {
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
  /** What the workspace may hold and write; absent for the server itself. */
  readonly limits?: WorkspaceLimits;
  /** Id of the session that the request belongs to, where a person is signed in. */
  readonly sessionId?: string;
}

/** The credential that a viewer came with; the server's own where it is neither a key nor a session. */
export function credentialOf({ keyId, sessionId }: Viewer): Credential {
  if (keyId !== undefined) return 'API_KEY';
  return sessionId === undefined ? 'SERVER' : 'SESSION';
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
