// Claims: what each integration says of a resource that several of them describe.
//
// A resource that one integration describes alone has no claims: its columns are what that says. The second one makes the
// first claim of them.

import { serverId as nilId } from '../../auth/viewer.ts';
import { ranks } from '../../resources/identities/claim-rank.ts';
import { keyInOneLine } from '../../resources/identities/named-place.ts';
import { typesWithDriver } from '../connectors/open.ts';

const texts = [
  'description',
  'definition',
  'creation_query',
  'native_type',
  'url',
  'type',
  'group_name',
  'product',
] as const;

const values = [
  'cluster',
  'external_updated_at',
  'row_count',
  'byte_size',
  'sort_order',
  'is_pk',
  'hidden',
  'external_usage',
  'tag_ids',
  'owner_ids',
  'owner_group_ids',
] as const;

/** What a claim says, by column: those of the resource. Null says nothing. */
export const claimColumns = ['title', ...texts, ...values, 'source_metadata'] as const;

/** Fields that people edit, by column: what they wrote says nothing of the source. */
export const editable: Readonly<Record<string, string>> = {
  description: 'description',
  definition: 'definition',
  tag_ids: 'tags',
  owner_ids: 'owners',
  owner_group_ids: 'owners_groups',
};

type Expressions = Readonly<Record<(typeof claimColumns)[number], string>>;

const expressions = (of: (column: (typeof claimColumns)[number]) => string): Expressions => {
  const [title, ...rest] = claimColumns;
  const list = [title, ...rest].map((column) => [column, of(column)] as const);
  return Object.fromEntries(list) as Expressions;
};

const isText = (column: string) => texts.some((text) => text === column);

/** An empty text, and metadata without a member, say nothing either: equal silence is equal. */
function silent(column: string, value: string): string {
  if (isText(column)) return `nullif(${value}, '')`;
  return column === 'source_metadata' ? `nullif(${value}, '{}')` : value;
}

/** What a resource, alias `r`, that one integration alone describes, holds of what that says. */
export function ownWords(r: string): Expressions {
  return expressions((column) => {
    const value = silent(column, `${r}.${column}`);
    const field = editable[column];
    if (!field) return value;
    return `case when ${r}.created_by_id is not null and ${r}.databuilder_id is null
      or not '${field}' = any(${r}.edited_fields) then ${value} end`;
  });
}

/** What a source says now, alias `s`, where it said `before`: what it leaves out stays as it was. */
export function wordsOf(s: string, before: (column: string) => string): Expressions {
  return expressions((column) => {
    if (column === 'title')
      return `coalesce(nullif(${s}.title, ''), ${before('title')}, ${keyInOneLine(`${s}.key`)})`;
    if (isText(column)) {
      return `case when ${s}.${column} is null then ${before(column)} else nullif(${s}.${column}, '') end`;
    }
    return silent(column, `coalesce(${s}.${column}, ${before(column)})`);
  });
}

/** Which claim a resource, alias `r`, is that has none yet: of its integration `i`, or of the person who made it. */
export function ownClaim(r: string, i: string, parent: string) {
  const said = (of: string) =>
    `coalesce(${of}.source_metadata -> 'transform', ${of}.source_metadata)`;
  const made = (of: string) =>
    `case when ${said(of)} ->> 'resource_type' = 'source' then ${ranks.source} else ${ranks.model} end`;
  return {
    integrationId: `coalesce(${r}.integration_id, '${nilId}'::uuid)`,
    key: `coalesce(${r}.databuilder_id, ${r}.id::text)`,
    rank: `case when ${r}.databuilder_id is null and ${r}.created_by_id is not null then ${ranks.person}
      when ${i}.type = 'dbt_core' then case ${r}.kind when 'table' then ${made(r)}
        when 'column' then ${made(parent)} else ${ranks.implied} end
      when ${i}.type = 'openlineage' then ${ranks.openlineage}
      when ${isSynced(i)} then ${ranks.sync} else ${ranks.file} end`,
  };
}

/** Whether an integration, alias `i`, is synced with its source: it says best what is there. */
function isSynced(i: string): string {
  const types = typesWithDriver.map((type) => `'${type}'`).join(', ');
  return `${i}.credentials is not null and ${i}.type in (${types})`;
}
