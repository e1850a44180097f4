// The resources that people, groups and teams hold, and that glossary terms are linked with.

import { isAllowed } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Page, PageArgs } from '../../lists/page.ts';
import { loadPage, type OwnedListing } from '../../lists/page-of-each.ts';
import type { OrderTerm } from '../../lists/where.ts';
import { listingOf, type ResourceRow } from '../resource.ts';
import type { Shown } from '../shown.ts';

/** What resources have to do with whom they are listed of. */
export type Holding = keyof typeof holdings;

/** Which of them to list; by title where no order is given. */
export interface HeldQuery {
  readonly as: Holding;
  readonly where?: unknown;
  readonly orderBy?: readonly OrderTerm[] | null | undefined;
  /** Columns that are read; all where nothing is said. */
  readonly shown?: Shown;
}

const array = (column: string) => Prisma.sql`${Prisma.raw(column)} @> array[owner.id]`;

// An id in a value is found by the index of values of that length.
const names = Prisma.sql`exists (select from custom_property_value v
  join custom_property p on p.workspace_id = v.workspace_id and p.id = v.property_id
    and p.value_type = 'resource'
  where v.workspace_id = r.workspace_id and v.resource_id = r.id
    and length(v.value) = 36 and v.value = owner.id::text)`;

/** What the viewer owns, by itself or by a group of its own; guests get to know no groups. */
function ownedByViewer(ctx: Context): Prisma.Sql {
  const byItself = array('r.owner_ids');
  if (!isAllowed(ctx, 'read people')) return byItself;
  return Prisma.sql`(${byItself} or r.owner_group_ids && array(select wg.id from user_group wg
    where wg.workspace_id = ${ctx.workspaceId}::uuid and wg.member_ids @> array[owner.id]))`;
}

const holdings = {
  'owned by user': array('r.owner_ids'),
  'owned by viewer': ownedByViewer,
  'bookmarked by user': array('r.bookmarked_by_ids'),
  'subscribed to by user': array('r.subscriber_ids'),
  'described by integration': Prisma.sql`(r.integration_id = owner.id or ${array('r.source_ids')})`,
  'owned by group': array('r.owner_group_ids'),
  'held by team': array('r.team_ids'),
  tagged: array('r.tag_ids'),
  'naming a term': names,
};

/** A page of what one of them holds; those of many are read together. */
export function loadHeld(
  ctx: Context,
  ownerId: string,
  query: HeldQuery,
  args: PageArgs,
): Promise<Page<ResourceRow>> {
  return loadPage(ctx, heldBy, { ownerId, query, args });
}

function heldBy(ctx: Context, { as, where, orderBy, shown = null }: HeldQuery): OwnedListing {
  const order = orderBy && orderBy.length > 0 ? orderBy : [{ title: 'asc' }];
  const holding = holdings[as];
  const belongs = typeof holding === 'function' ? holding(ctx) : holding;
  return { ...listingOf(ctx, { where, orderBy: order, shown }), belongs };
}
