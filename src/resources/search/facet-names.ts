// Tags, people, groups, teams and sources that words of a query name, among those that the viewer may name.

import { isAllowed, visibleTeams } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { AskedQuery } from './asked.ts';
import { wordsIn } from './word.ts';

/** Something that resources are marked with. */
export interface Named {
  readonly facet: 'tag' | 'owner' | 'team' | 'source';
  readonly id: string;
  readonly name: string;
  /** The words of its name; of a person also of the part of the address before the @. */
  readonly words: readonly string[];
}

/** The name of a user `x`. */
export const fullName = Prisma.raw(
  "coalesce(nullif(btrim(x.first_name || ' ' || x.last_name), ''), x.email)",
);

/** Of each facet so many are taken: more that share a word are told apart by another word. */
const maxNamed = 50;
/** A word of fewer letters names nothing: an initial is none. */
const shortest = 2;

/** What the words and filters of a query name. No statement where there are none. */
export async function namedBy(ctx: Context, { words, filters }: AskedQuery): Promise<Named[]> {
  const inWords = words.map(({ text }) => text);
  const inFilters = filters.flatMap(({ values }) => values.flatMap(wordsIn));
  const texts = [...new Set([...inWords, ...inFilters])].filter((text) => text.length >= shortest);
  if (texts.length === 0) return [];
  const all = await rows<Omit<Named, 'words'> & { readonly also: string }>(
    ctx,
    Prisma.sql`select * from (${nameable(ctx)}) n where exists (select from unnest(${texts}::text[]) w(word)
      where strpos(search_text(search_humps(n.name || ' ' || n.also)), w.word) > 0)`,
  );
  return all
    .map(({ also, ...one }) => ({ ...one, words: wordsIn(`${one.name} ${also}`) }))
    .filter((one) => one.words.some((word) => texts.includes(word)))
    .filter(atMostOfEach());
}

/** Names of a facet that the viewer may name, for hints. */
export async function namesOf(ctx: Context, facet: Named['facet']): Promise<string[]> {
  const all = await rows<{ name: string }>(
    ctx,
    Prisma.sql`select distinct name from (${nameable(ctx)}) n where facet = ${facet} order by name limit 1000`,
  );
  return all.map(({ name }) => name);
}

function nameable(ctx: Context): Prisma.Sql {
  const ofWorkspace = Prisma.sql`x.workspace_id = ${ctx.workspaceId}::uuid`;
  const readsPeople = isAllowed(ctx, 'read people');
  const isKnown = readsPeople ? Prisma.sql`true` : Prisma.sql`x.id = ${ctx.viewer.id}::uuid`;
  const parts = [
    Prisma.sql`select 'tag' as facet, x.id::text, x.name, '' as also from tag x where ${ofWorkspace}`,
    Prisma.sql`select 'team', x.id::text, x.name, '' from team x
      where ${ofWorkspace} and ${visibleTeams(ctx, 'x')}`,
    Prisma.sql`select 'owner', x.id::text, ${fullName}, split_part(x.email, '@', 1)
      from user_account x where ${ofWorkspace} and ${isKnown}`,
    ...(readsPeople
      ? [Prisma.sql`select 'owner', x.id::text, x.name, '' from user_group x where ${ofWorkspace}`]
      : []),
    ...(isAllowed(ctx, 'read integrations')
      ? [
          Prisma.sql`select 'source', x.id::text, x.name, x.type from integration x where ${ofWorkspace}`,
        ]
      : []),
  ];
  return Prisma.join(parts, ' union all ');
}

function atMostOfEach(): (one: Named) => boolean {
  const counts = new Map<string, number>();
  return ({ facet }) => {
    const count = (counts.get(facet) ?? 0) + 1;
    counts.set(facet, count);
    return count <= maxNamed;
  };
}
