// The suggestion of a search: its query with the words of the best hit that were found for others.

import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { literally } from '../../text/text.ts';
import { lexemeQuery, type Sought } from './sought.ts';

/**
 * The query with the words of a hit that some were spelled otherwise for; null where it holds them as they are. The hit is
 * one that the viewer may see, so that nothing else is told of.
 */
export async function suggestionOf(
  ctx: Context,
  query: string,
  id: string,
  sought: readonly Sought[],
): Promise<string | null> {
  const respelled = sought.filter(({ meant }) => meant.length > 0);
  if (respelled.length === 0) return null;
  const choices = respelled.flatMap(({ word, meant }) =>
    meant.map((parts) => ({ word: word.text, parts, query: parts.map(lexemeQuery).join('&') })),
  );
  const held = await rows<{ n: number }>(
    ctx,
    Prisma.sql`select q.n::int as n from search_document d,
        unnest(${choices.map((choice) => choice.query)}::tsquery[]) with ordinality q(query, n)
      where d.workspace_id = ${ctx.workspaceId}::uuid and d.resource_id = ${id}::uuid and d.doc @@ q.query
      order by q.n`,
  );
  let suggestion = query;
  const done = new Set<string>();
  for (const { n } of held) {
    const choice = choices[n - 1];
    if (!choice || done.has(choice.word)) continue;
    done.add(choice.word);
    suggestion = suggestion.replace(
      new RegExp(literally(choice.word), 'iu'),
      choice.parts.join(' '),
    );
  }
  return suggestion === query ? null : suggestion;
}
