// What each role may do: the only place that decides it.

import type { Context } from '../context.ts';
import { type CatalogError, forbidden, unauthenticated } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { type ApiKeyScope, hasScope, scopeRefusal } from './key-scope.ts';
import { type Role, roles, type Viewer } from './viewer.ts';

/** Something a role allows or not. Reading what one may see needs no permission of its own. */
export type Action = keyof typeof allowed;

const admins: readonly Role[] = ['admin'];
const editors: readonly Role[] = ['admin', 'editor'];
const members: readonly Role[] = ['admin', 'editor', 'viewer'];
const everyone: readonly Role[] = ['admin', 'editor', 'viewer', 'guest'];

const allowed = {
  'edit resources': editors,
  'edit lineage': editors,
  'edit tags': editors,
  'edit custom properties': editors,
  'edit monitors': editors,
  'ask questions': members,
  'comment on resources': members,
  'announce to everyone': admins,
  'take part': everyone,
  'read integrations': editors,
  'read people': members,
  'read jobs': editors,
  "cancel others' jobs": admins,
  'manage integrations': admins,
  'import metadata': admins,
  'report runs': editors,
  // For every source; an integration names those who may besides.
  'write SQL for sources': admins,
  'manage teams': admins,
  'manage people': admins,
  'manage API keys': admins,
  'make own API keys': everyone,
  'manage webhooks': admins,
  'read the audit log': admins,
} satisfies Record<string, readonly Role[]>;

/**
 * The scope that a key needs for an action, next to the role of its user. Whether it may read or change anything
 * at all, GraphQL decides for every field of the root.
 */
const scopes: Partial<Record<Action, ApiKeyScope>> = {
  'read jobs': 'READ',
  "cancel others' jobs": 'ADMIN',
  'import metadata': 'IMPORT',
  'report runs': 'REPORT',
  'manage integrations': 'ADMIN',
  'manage teams': 'ADMIN',
  'manage people': 'ADMIN',
  'manage API keys': 'ADMIN',
  'make own API keys': 'ADMIN',
  'manage webhooks': 'ADMIN',
  'read the audit log': 'ADMIN',
};

/** All that a role may allow. */
export const actions = Object.keys(allowed).filter((name): name is Action => name in allowed);

/** Throw FORBIDDEN unless the viewer's role, and the scopes of their key, allow the action. */
export function mustBeAllowed({ viewer }: Pick<Context, 'viewer'>, action: Action): void {
  if (!rolesFor(action).includes(viewer.role)) {
    throw forbidden(
      `The role ${viewer.role} can't ${action}; ${allowed[action].join(' or ')} can.`,
    );
  }
  const scope = scopes[action];
  if (scope) mustHaveScope({ viewer }, scope);
}

/** Throw FORBIDDEN unless the viewer came with a key of the scope, or without a key. */
export function mustHaveScope({ viewer }: Pick<Context, 'viewer'>, scope: ApiKeyScope): void {
  if (!hasScope(viewer, scope)) throw forbidden(scopeRefusal(viewer, scope));
}

/** Throw FORBIDDEN unless the viewer may import into an integration. */
export function mustMayImport(ctx: Pick<Context, 'viewer'>, integrationId: string): void {
  mustBeAllowed(ctx, 'import metadata');
  const { importsInto } = ctx.viewer;
  if (importsInto === undefined || importsInto === integrationId.toLowerCase()) return;
  throw forbidden('This key imports into another integration only.');
}

/** Whether the viewer's role, and the scopes of their key, allow the action. */
export function isAllowed({ viewer }: Pick<Context, 'viewer'>, action: Action): boolean {
  const scope = scopes[action];
  return rolesFor(action).includes(viewer.role) && (!scope || hasScope(viewer, scope));
}

const rolesFor = (action: Action): readonly Role[] => allowed[action];

/** All that the viewer may do. */
export function allowedTo(viewer: Viewer): Action[] {
  return actions.filter((action) => isAllowed({ viewer }, action));
}

/** What a resource needs to say of itself so that one can tell who sees it. */
export interface Visible {
  readonly published: boolean;
  readonly teamIds: readonly string[];
}

/** What decides what somebody sees. */
export type Sees = Pick<Viewer, 'role' | 'teamIds'>;

/** Whether the viewer may read a resource: viewers what is published, guests what their teams hold. */
export function maySee({ viewer }: { viewer: Sees }, resource: Visible): boolean {
  switch (viewer.role) {
    case 'admin':
    case 'editor':
      return true;
    case 'viewer':
      return resource.published;
    case 'guest':
      return resource.teamIds.some((id) => viewer.teamIds.includes(id));
  }
}

/**
 * The rule of `maySee` as a condition on the `resource` table, by its alias in the statement: always true
 * for admins and editors, so that their plans stay simple.
 */
export function visibleResources({ viewer }: { viewer: Sees }, alias = 'r'): Prisma.Sql {
  const resource = Prisma.raw(alias);
  switch (viewer.role) {
    case 'admin':
    case 'editor':
      return Prisma.sql`true`;
    case 'viewer':
      return Prisma.sql`${resource}.published`;
    case 'guest':
      return Prisma.sql`${resource}.team_ids && ${[...viewer.teamIds]}::uuid[]`;
  }
}

/**
 * Which teams the viewer may know of, as a condition on the `team` table, by its alias in the statement: a
 * closed one is private to its members and to those who edit; guests know only their own.
 */
export function visibleTeams(ctx: Pick<Context, 'viewer'>, alias = 't'): Prisma.Sql {
  return Prisma.sql`not ${Prisma.raw(alias)}.archived and ${knownTeams(ctx, alias)}`;
}

/** The same with those that were deleted. */
export function knownTeams({ viewer }: Pick<Context, 'viewer'>, alias = 't'): Prisma.Sql {
  const team = Prisma.raw(alias);
  const own = Prisma.sql`${team}.member_ids @> array[${viewer.id}::uuid]`;
  switch (viewer.role) {
    case 'admin':
    case 'editor':
      return Prisma.sql`true`;
    case 'viewer':
      return Prisma.sql`(${team}.type = 'OPEN' or ${own})`;
    case 'guest':
      return own;
  }
}

/**
 * What a viewer has lost since a request of theirs began: UNAUTHENTICATED where the key no longer works, FORBIDDEN
 * where a role or a team is gone. Null where they may do and see all that they could before.
 */
export function lossOf(before: Viewer, now: Viewer | null): CatalogError | null {
  if (!now) return unauthenticated();
  if (mayAsBefore(before, now)) return null;
  return forbidden('Your role or teams have changed; repeat the request.');
}

/**
 * Whether somebody may still do and see all that they could before. A team that is gone takes something
 * only from those who see by their teams: editors and admins see everything.
 */
function mayAsBefore(before: Sees, now: Sees): boolean {
  if (roles.indexOf(now.role) > roles.indexOf(before.role)) return false;
  return editors.includes(now.role) || before.teamIds.every((id) => now.teamIds.includes(id));
}

/** Those of some ids of users that the viewer may know of: guests know no one but themselves. */
export function knownUsers(ctx: Pick<Context, 'viewer'>, ids: readonly string[]): string[] {
  return isAllowed(ctx, 'read people') ? [...ids] : ids.filter((id) => id === ctx.viewer.id);
}

/** The id of a user that the viewer may know of, or null. */
export function knownUser(ctx: Pick<Context, 'viewer'>, id: string | null): string | null {
  return id === null ? null : (knownUsers(ctx, [id])[0] ?? null);
}

/** Those of some ids of groups that the viewer may know of: guests know none. */
export function knownGroups(ctx: Pick<Context, 'viewer'>, ids: readonly string[]): string[] {
  return isAllowed(ctx, 'read people') ? [...ids] : [];
}
