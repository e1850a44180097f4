// In charge of what each role may do: the only place that decides it.

import type { Context } from '../context.ts';
import { forbidden } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Role, Viewer } from './viewer.ts';

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
  'take part': everyone,
  'read integrations': editors,
  'read people': members,
  'read jobs': editors,
  "cancel others' jobs": admins,
  'manage integrations': admins,
  'manage teams': admins,
  'manage people': admins,
  'manage API keys': admins,
  'manage webhooks': admins,
  'read the audit log': admins,
} satisfies Record<string, readonly Role[]>;

/** Throw FORBIDDEN unless the viewer's role allows the action. */
export function mustBeAllowed(ctx: Pick<Context, 'viewer'>, action: Action): void {
  if (isAllowed(ctx, action)) return;
  throw forbidden(
    `The role ${ctx.viewer.role} may not ${action}; ${allowed[action].join(' or ')} may.`,
  );
}

/** Whether the viewer's role allows the action. */
export function isAllowed(ctx: Pick<Context, 'viewer'>, action: Action): boolean {
  const may: readonly Role[] = allowed[action];
  return may.includes(ctx.viewer.role);
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
 * The rule of `maySee` as a condition on the `resource` table, whose alias in the statement is `r`:
 * always true for admins and editors, so that their plans stay simple.
 */
export function visibleResources(ctx: Pick<Context, 'viewer'>): Prisma.Sql {
  switch (ctx.viewer.role) {
    case 'admin':
    case 'editor':
      return Prisma.sql`true`;
    case 'viewer':
      return Prisma.sql`r.published`;
    case 'guest':
      return Prisma.sql`r.team_ids && ${[...ctx.viewer.teamIds]}::uuid[]`;
  }
}
