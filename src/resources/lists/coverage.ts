// Coverage: how many resources are owned, described, documented and so on, in all and by group.

import { isAllowed, visibleTeams } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { invalidField } from '../../errors.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { conditionOn } from '../../lists/filter.ts';
import { checkCount } from '../../lists/page.ts';
import { listingOf } from '../resource.ts';
import { fieldsSeen } from '../seen.ts';
import { resourceFields } from './filter-fields.ts';
import { isShownByDashboard, isWatched } from './watched.ts';

/** What resources are counted by. */
export const coverageGroups = {
  kind: 'Their kinds.',
  integration:
    'The integrations that describe them: one that several describe counts for each. Nothing for those who may not read integrations.',
  team: 'The teams that hold them: one that several teams hold counts for each.',
  owner: 'The users who own them: one that several users own counts for each.',
  owner_group: 'The groups that own them.',
};
type Group = keyof typeof coverageGroups;

const isGroup = (name: string): name is Group => Object.hasOwn(coverageGroups, name);

/** How many resources there are, and how many of them have what. */
export interface Counts {
  readonly total: number;
  readonly owned: number;
  readonly described: number;
  readonly documented: number;
  readonly tagged: number;
  readonly verified: number;
  /** Tables. */
  readonly tables: number;
  /** Tables that a monitor watches, with others of their schema or by themselves. */
  readonly watched: number;
  /** Tables that matter: somebody verified them, or a dashboard or chart shows them. */
  readonly important: number;
  /** Those of them that a monitor watches. */
  readonly importantWatched: number;
}

/** The counts of what a group has; a value of null is for what is in no group that the viewer may know of. */
export interface GroupCounts extends Counts {
  readonly value: string | null;
  readonly label: string;
}

/** Counts of the resources that the viewer may see and that a typed filter holds for. */
export async function countCoverage(ctx: Context, where: unknown): Promise<Counts> {
  const [counted] = await rows<Counts>(
    ctx,
    Prisma.sql`select ${counts} from (${covered(ctx, where)}) c`,
  );
  if (!counted) throw new Error('Resources could not be counted.');
  return counted;
}

/** The same by group, the largest groups first: 1 to 1,000 of them. */
export async function groupCoverage(
  ctx: Context,
  where: unknown,
  by: string,
  first: number,
): Promise<GroupCounts[]> {
  if (!isGroup(by)) {
    throw invalidField('group', `Use one of ${Object.keys(coverageGroups).join(', ')}.`);
  }
  checkCount('first', first);
  if (by === 'integration' && !isAllowed(ctx, 'read integrations')) return [];
  const { of, label, from } = groupingOf(ctx, by);
  return rows<GroupCounts>(
    ctx,
    Prisma.sql`with g as (select ${of}::text as value, ${counts}
        from (${covered(ctx, where)}) c ${from} group by 1)
      select g.*, coalesce((${label}), '') as label from g
        order by g.total desc, label, g.value limit ${first}`,
  );
}

const counts = Prisma.sql`count(*) as total, count(*) filter (where c.owned) as owned,
  count(*) filter (where c.described) as described,
  count(*) filter (where c.documented) as documented, count(*) filter (where c.tagged) as tagged,
  count(*) filter (where c.verified) as verified, count(*) filter (where c.is_table) as tables,
  count(*) filter (where c.watched) as watched, count(*) filter (where c.important) as important,
  count(*) filter (where c.important and c.watched) as "importantWatched"`;

/** Each resource with what it has, as far as the viewer may know of it. */
function covered(ctx: Context, where: unknown): Prisma.Sql {
  const fields = fieldsSeen(ctx, resourceFields);
  const has = (name: keyof typeof resourceFields) =>
    conditionOn('is_set', fields[name] ?? resourceFields[name], true, name);
  const listing = listingOf(ctx, { where });
  return Prisma.sql`select r.kind, r.integration_id, r.source_ids, r.team_ids, r.owner_ids, r.owner_group_ids,
      (${has('owners')} or ${has('owners_groups')}) as owned, ${has('description')} as described,
      ${has('definition')} as documented, ${has('tags')} as tagged, r.verified,
      r.kind = 'table' as is_table, r.kind = 'table' and ${isWatched(ctx)} as watched,
      r.kind = 'table' and (r.verified or ${isShownByDashboard(ctx)}) as important
    from ${listing.from} where ${listing.where}`;
}

interface Grouping {
  /** The value of a group. */
  readonly of: Prisma.Sql;
  /** What people call the group `g`. */
  readonly label: Prisma.Sql;
  /** What is joined to the resources `c` for that. */
  readonly from: Prisma.Sql;
}

function groupingOf(ctx: Context, by: Group): Grouping {
  const workspace = Prisma.sql`x.workspace_id = ${ctx.workspaceId}::uuid`;
  const labelIn = (table: string, label: string) =>
    Prisma.sql`select ${Prisma.raw(label)} from ${Prisma.raw(table)} x
      where ${workspace} and x.id = g.value::uuid`;
  const readsPeople = isAllowed(ctx, 'read people');
  const isSelf = Prisma.sql`u.id = ${ctx.viewer.id}::uuid`;
  switch (by) {
    case 'kind':
      return { of: Prisma.sql`c.kind`, label: Prisma.sql`g.value`, from: Prisma.empty };
    case 'integration': {
      const label = labelIn('integration', 'x.name');
      // What several describe counts for each of them.
      const from = Prisma.sql`left join lateral
        unnest(array_remove(c.integration_id || c.source_ids, null)) u(id) on true`;
      return { of: Prisma.sql`u.id`, label, from };
    }
    case 'team': {
      const known = Prisma.sql`u.id = any(array(select x.id from team x
        where ${workspace} and ${visibleTeams(ctx, 'x')}))`;
      const isKnown = isAllowed(ctx, 'edit resources') ? Prisma.sql`true` : known;
      return each('team_ids', isKnown, labelIn('team', 'x.name'));
    }
    case 'owner':
      return each(
        'owner_ids',
        readsPeople ? Prisma.sql`true` : isSelf,
        labelIn(
          'user_account',
          "coalesce(nullif(btrim(x.first_name || ' ' || x.last_name), ''), x.email)",
        ),
      );
    case 'owner_group':
      return each(
        'owner_group_ids',
        Prisma.sql`${readsPeople}::boolean`,
        labelIn('user_group', 'x.name'),
      );
  }
}

/** One for each id of an array that the viewer may know of, and for none of them one of null. */
function each(ids: string, isKnown: Prisma.Sql, label: Prisma.Sql): Grouping {
  const from = Prisma.sql`left join lateral unnest(c.${Prisma.raw(ids)}) u(id) on ${isKnown}`;
  return { of: Prisma.sql`u.id`, label, from };
}
