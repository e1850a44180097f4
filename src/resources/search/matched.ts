// Where hits of a search hold what was looked for.

import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { inWeights, type Sought } from './sought.ts';

/** What of a resource a word is found in, and what is said of that. */
export const matchedFields = {
  title: 'Its title.',
  synonyms: 'A synonym of a glossary term.',
  ancestry: 'The title of something it lies in.',
  kind: 'Its kind, or its type in its source.',
  tag: 'A tag on it.',
  owner: 'A user or a group that owns it.',
  team: 'A team that holds it.',
  source: 'The integration it came from.',
  columns: 'The title of one of its columns or properties.',
  description: 'Its description.',
  documentation: 'Its documentation.',
  sql: 'Its SQL, or the answer to a question.',
};

/** One of them. */
export type MatchedField = keyof typeof matchedFields;

const isField = (name: string): name is MatchedField => Object.hasOwn(matchedFields, name);

/** The fields of each hit in which any of the words is found. */
export async function readMatched(
  ctx: Context,
  ids: readonly string[],
  sought: readonly Sought[],
): Promise<ReadonlyMap<string, readonly MatchedField[]>> {
  if (ids.length === 0 || sought.length === 0) return new Map();
  const found = await rows<{ id: string; fields: string[] }>(
    ctx,
    Prisma.sql`select r.id, array_remove(array[${Prisma.join(casesOf(sought))}], null) as fields
      from search_document d join resource r on r.workspace_id = d.workspace_id and r.id = d.resource_id
      cross join lateral (select search_words(left(r.definition, 10000), 'D') as documentation,
        case when r.synonyms <> '{}' then search_words(search_humps(array_to_string(r.synonyms, ' , ')), 'A') end as synonyms,
        case when r.synonyms <> '{}' then search_words(search_humps(left(r.title, 1000)), 'A') else d.doc end as title,
        search_words(concat_ws(' ', left(r.sql, 4000), left(r.creation_query, 4000), left(r.answer, 4000)), 'D') as sql
        offset 0) x
      where d.workspace_id = ${ctx.workspaceId}::uuid and d.resource_id = any(${[...ids]}::uuid[])`,
  );
  return new Map(found.map(({ id, fields }) => [id, fields.filter(isField)]));
}

function casesOf(sought: readonly Sought[]): Prisma.Sql[] {
  const texts = sought.map(({ text }) => text).join('|');
  const inText = (weight: 'A' | 'B' | 'C') => holds('d.doc', inWeights(texts, weight));
  const kinds = marksOf(sought.map((one) => one.kinds));
  const named = (letter: string) =>
    marksOf(
      sought.map(({ names }) =>
        names
          .split('|')
          .filter((mark) => mark.startsWith(`'${letter}:`))
          .join('|'),
      ),
    );
  // What stands in the texts of least weight, and in none but the titles of columns.
  const inColumns = sought.map(
    ({ text }) => Prisma.sql`(${holds('d.doc', inWeights(text, 'D'))}
      and not ${holds('x.documentation', text)} and not ${holds('x.sql', text)})`,
  );
  return [
    caseOf('title', holds('x.title', inWeights(texts, 'A'))),
    caseOf('synonyms', holds('x.synonyms', texts)),
    caseOf('ancestry', inText('B')),
    caseOf('kind', kinds),
    caseOf('tag', named('t')),
    caseOf('owner', named('o')),
    caseOf('team', named('m')),
    caseOf('source', named('i')),
    caseOf('columns', Prisma.sql`(${Prisma.join(inColumns, ' or ')})`),
    caseOf('description', inText('C')),
    caseOf('documentation', holds('x.documentation', texts)),
    caseOf('sql', holds('x.sql', texts)),
  ];
}

const holds = (doc: string, query: string) => Prisma.sql`(${Prisma.raw(doc)} @@ ${query}::tsquery)`;

function marksOf(queries: readonly string[]): Prisma.Sql {
  const query = queries.filter((one) => one !== '').join('|');
  return query === '' ? Prisma.sql`false` : holds('d.doc', query);
}

const caseOf = (field: MatchedField, is: Prisma.Sql) =>
  Prisma.sql`case when ${is} then ${field}::text end`;
