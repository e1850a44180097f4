// What an import writes: each column of a resource as it is to be afterwards, in SQL.

// In all of them `r` is the resource in the catalog, `s` what was staged of it, `p` its plan. What is
// staged as null was not said, and leaves the column alone; an empty text says that there is nothing. A title and a place
// are written where the source has others than the catalog had when the plan was made: `r` may be elsewhere by now.

import { settledColumns } from '../../claims/settle.ts';

type Expressions = Readonly<Record<string, string>>;

/** Whether a resource gets the place that the source gives it: an accepted reply is not moved. */
const isPlaced = 'p.is_placed and not (p.is_moved and r.accepted_answer)';

/** Columns that a source decides alone, whatever people did. */
const texts = ['creation_query', 'native_type', 'url', 'group_name', 'product', 'type'];
const values = [
  'external_updated_at',
  'row_count',
  'byte_size',
  'sort_order',
  'is_pk',
  'hidden',
  'external_usage',
];

const fromTexts = (columns: readonly string[]): Expressions =>
  Object.fromEntries(
    columns.map((column) => [
      column,
      `case when s.${column} is null then r.${column} else nullif(s.${column}, '') end`,
    ]),
  );

const fromValues = (columns: readonly string[]): Expressions =>
  Object.fromEntries(columns.map((column) => [column, `coalesce(s.${column}, r.${column})`]));

/** Names that follow from a place: what the source leaves where it was may have been moved by others in the meantime. */
const fromPlace = (columns: readonly string[]): Expressions =>
  Object.fromEntries(
    columns.map((column) => [
      column,
      `case when ${isPlaced} then coalesce(p.${column}, r.${column}) else r.${column} end`,
    ]),
  );

/** Whether a person edited the field, which imports leave alone from then on. */
const edited = (field: string) => `'${field}' = any(r.edited_fields)`;

const labels = (column: string, field: string) =>
  `case when s.${column} is null or ${edited(field)} then r.${column}
    when r.${column} @> s.${column} and s.${column} @> r.${column} then r.${column}
    else s.${column} end`;

const definition = `case when s.definition is null or ${edited('definition')}
    then r.definition else s.definition end`;

const version = (text: string) =>
  `r.definition_version + (${text} is distinct from r.definition)::integer`;

const unlessSaid = (column: string, field: string, said: string, to: string) =>
  `case when ${said} is null or ${edited(field)} then r.${column} else ${to} end`;

const isDeprecated = "(s.deprecation->>'is')::boolean";
const since = "(s.deprecation->>'since')::timestamptz(3)";
const found = "(s.deprecation->>'at')::timestamptz(3)";
const note = "nullif(s.deprecation->>'note', '')";

/** What follows of another status of a term: a source that approves it is no person. */
const approved = (column: string, to: string) =>
  unlessSaid(
    column,
    'term_status',
    's.term_status',
    `case when s.term_status is distinct from r.term_status then ${to} else r.${column} end`,
  );

/** A column of a deprecation. */
const deprecated = (column: string, to: string) =>
  unlessSaid(column, 'deprecation', 's.deprecation', `case when ${isDeprecated} then ${to} end`);

/** What becomes of a resource of the integration itself. */
const own: Expressions = {
  title: 'case when p.is_retitled then p.title else r.title end',
  title_full: `case when ${isPlaced} then p.title_full else r.title_full end`,
  parent_id: 'case when p.is_moved and not r.accepted_answer then p.parent_id else r.parent_id end',
  ...fromPlace(['database_name', 'schema_name', 'table_name']),
  cluster: 'coalesce(p.cluster, r.cluster)',
  description: `case when s.description is null or ${edited('description')}
    then r.description else nullif(s.description, '') end`,
  definition,
  definition_version: version(definition),
  tag_ids: labels('tag_ids', 'tags'),
  owner_ids: labels('owner_ids', 'owners'),
  owner_group_ids: labels('owner_group_ids', 'owners_groups'),
  source_metadata: 'coalesce(s.source_metadata, r.source_metadata)',
  ...fromTexts(texts),
  ...fromValues(values),
  synonyms: unlessSaid('synonyms', 'synonyms', 's.synonyms', 's.synonyms'),
  term_status: unlessSaid('term_status', 'term_status', 's.term_status', 's.term_status'),
  approved_at: approved('approved_at', 's.approved_at'),
  approved_by_id: approved('approved_by_id', 'null'),
  deprecated_at: deprecated('deprecated_at', `coalesce(${since}, r.deprecated_at, ${found})`),
  deprecation_note: deprecated('deprecation_note', note),
  successor_id: deprecated('successor_id', 's.successor_id'),
  stale: 'false',
  stale_at: 'null::timestamptz',
};

/**
 * The columns an import changes of a resource, and what each is to hold: of what others describe as well, what was settled,
 * alias `t`.
 */
export function desired(sort: 'own' | 'shared'): Expressions {
  return sort === 'shared' ? settledColumns : own;
}

/** What a new resource is inserted with, besides its id, times, teams and integration. */
export const inserted: Expressions = {
  kind: 'p.kind',
  title: 'p.title',
  title_full: 'p.title_full',
  parent_id: 'p.parent_id',
  // A key that something else has until the end is written then (`taken.ts`).
  databuilder_id: 'case when p.taken_from is null and not p.is_held then p.key end',
  // Where it lies, alias `a`. Another thing may have the identity until the end.
  address: 'a.address',
  identity: `case when a.identity is not null and not exists (select from resource x
    where x.workspace_id = $1::uuid and x.identity = a.identity) then a.identity end`,
  variant: 'coalesce(a.variant, false)',
  database_name: 'p.database_name',
  schema_name: 'p.schema_name',
  table_name: 'p.table_name',
  cluster: 'p.cluster',
  description: `nullif(s.description, '')`,
  definition: `coalesce(s.definition, '')`,
  creation_query: `nullif(s.creation_query, '')`,
  native_type: `nullif(s.native_type, '')`,
  url: `nullif(s.url, '')`,
  group_name: `nullif(s.group_name, '')`,
  product: `nullif(s.product, '')`,
  type: `nullif(s.type, '')`,
  external_updated_at: 's.external_updated_at',
  row_count: 's.row_count',
  byte_size: 's.byte_size',
  sort_order: 's.sort_order',
  is_pk: 'coalesce(s.is_pk, false)',
  hidden: 'coalesce(s.hidden, false)',
  external_usage: 'coalesce(s.external_usage, 0)',
  tag_ids: `coalesce(s.tag_ids, '{}')`,
  owner_ids: `coalesce(s.owner_ids, '{}')`,
  owner_group_ids: `coalesce(s.owner_group_ids, '{}')`,
  source_metadata: `coalesce(s.source_metadata, '{}')`,
  synonyms: `coalesce(s.synonyms, '{}')`,
  term_status: 's.term_status',
  approved_at: 's.approved_at',
  deprecated_at: `case when ${isDeprecated} then coalesce(${since}, ${found}) end`,
  deprecation_note: `case when ${isDeprecated} then ${note} end`,
  successor_id: 's.successor_id',
  question_status: `case when p.kind = 'question' then 'Unanswered' end`,
};
