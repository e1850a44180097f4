// Searches that people keep under a name: each person's own.

import { mustBeAllowed } from '../../../auth/permission.ts';
import type { Context } from '../../../context.ts';
import { columnsOf } from '../../../database/columns.ts';
import { holdName } from '../../../database/held-name.ts';
import { rows } from '../../../database/rows.ts';
import { transaction } from '../../../database/transaction.ts';
import { invalid, notFound } from '../../../errors.ts';
import { checkFields, checkId, listOf, type Noun, name, text } from '../../../fields.ts';
import { Prisma, type SavedSearch } from '../../../generated/prisma/client.ts';
import { isUuid } from '../../../text/uuid.ts';
import { parseKind } from '../../kind.ts';

/** A search as it is kept: what the root field `search` takes. */
export interface SearchToSave {
  name?: string | null | undefined;
  query?: string | null | undefined;
  kinds?: readonly string[] | null | undefined;
  tagIds?: readonly string[] | null | undefined;
  teamIds?: readonly string[] | null | undefined;
  ownerIds?: readonly string[] | null | undefined;
  integrationIds?: readonly string[] | null | undefined;
}

/** Searches of one person. */
const most = 100;
/** As many as a page can have chosen of one facet. */
const mostValues = 50;

const ids = <Rest extends string>(rest: Rest, items: string) =>
  listOf(rest, { items, max: mostValues, check: (one) => checkId(rest, one) });

/** Anyone keeps searches of their own. */
export const savedSearchNoun: Noun<
  SearchToSave,
  Omit<SavedSearch, 'workspaceId' | 'id' | 'userId' | 'createdAt'>
> = {
  by: 'take part',
  fields: {
    name: name('name'),
    query: text('query', 200),
    kinds: listOf('kinds', {
      items: 'kinds',
      max: mostValues,
      check: (one) => parseKind(one, 'kinds'),
    }),
    tagIds: ids('tag_ids', 'ids of tags'),
    teamIds: ids('team_ids', 'ids of teams'),
    ownerIds: ids('owner_ids', 'ids of users'),
    integrationIds: ids('integration_ids', 'ids of integrations'),
  },
};

const columns = columnsOf(Prisma.SavedSearchScalarFieldEnum, 's');

const ofViewer = (ctx: Context) =>
  Prisma.sql`s.workspace_id = ${ctx.workspaceId}::uuid and s.user_id = ${ctx.viewer.id}::uuid`;

/** The searches that the viewer keeps, by name; 100 at most. */
export function listSavedSearches(ctx: Context): Promise<SavedSearch[]> {
  return rows<SavedSearch>(
    ctx,
    Prisma.sql`select ${columns} from saved_search s where ${ofViewer(ctx)} order by s.name limit ${most}`,
  );
}

/** Keep a search; one of the same name is replaced. Throws BAD_REQUEST for the 101st. */
export async function saveSearch(ctx: Context, input: SearchToSave): Promise<SavedSearch> {
  mustBeAllowed(ctx, savedSearchNoun.by);
  const fields = checkFields(savedSearchNoun, input);
  return transaction(ctx, async (tx) => {
    // Two that are saved at once are counted one after the other.
    const { workspaceId } = tx;
    const userId = tx.viewer.id;
    await holdName(tx, `saved searches ${userId}`);
    const where = { workspaceId_userId_name: { workspaceId, userId, name: fields.name ?? '' } };
    const kept = await tx.db.savedSearch.findUnique({ where });
    if (!kept && (await tx.db.savedSearch.count({ where: { workspaceId, userId } })) >= most) {
      throw invalid(`You keep ${most} searches, as many as there may be: delete one first.`);
    }
    const lists = { kinds: [], tagIds: [], teamIds: [], ownerIds: [], integrationIds: [] };
    const own = { name: '', query: '', ...lists, ...fields };
    return kept
      ? tx.db.savedSearch.update({ where, data: own })
      : tx.db.savedSearch.create({ data: { ...own, workspaceId, userId, createdAt: tx.now() } });
  });
}

/** Keep a search no longer; answers what it was. Throws NOT_FOUND for what is not the viewer's own. */
export async function deleteSavedSearch(ctx: Context, id: string): Promise<SavedSearch> {
  mustBeAllowed(ctx, savedSearchNoun.by);
  const [gone] = isUuid(id)
    ? await rows<SavedSearch>(
        ctx,
        Prisma.sql`delete from saved_search s where ${ofViewer(ctx)} and s.id = ${id}::uuid
          returning ${columns}`,
      )
    : [];
  if (!gone) throw notFound('saved search', id);
  return gone;
}
