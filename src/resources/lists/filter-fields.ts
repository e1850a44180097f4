// Filter and sort fields of resources, by their API names.

import { Prisma } from '../../generated/prisma/client.ts';
import type { FilterFields } from '../../lists/field.ts';
import { parseKind } from '../kind.ts';
import { priorities, questionStatuses } from '../questions/question-fields.ts';
import { termStatuses } from '../terms/term-status.ts';

const parseKindOfFilter = (value: string) => parseKind(value, 'filter.value');
const ids = (column: string) => ({ sql: Prisma.raw(`r.${column}`), type: 'ids' }) as const;
const text = (column: string) => ({ sql: Prisma.raw(`r.${column}`), type: 'text' }) as const;
const time = (column: string) => ({ sql: Prisma.raw(`r.${column}`), type: 'time' }) as const;
const flag = (column: string) => ({ sql: Prisma.raw(`r.${column}`), type: 'boolean' }) as const;
const id = (column: string) => ({ sql: Prisma.raw(`r.${column}`), type: 'id' }) as const;
const number = (expression: string) => ({ sql: Prisma.raw(expression), type: 'number' }) as const;
const kindField = { sql: Prisma.raw('r.kind'), type: 'text', parse: parseKindOfFilter } as const;

/** The integrations that describe a resource: the one it lies in, and the others. */
const describedBy = { ...id('integration_id'), also: Prisma.raw('r.source_ids') } as const;

/** Of a column that is never null. */
const required = <Field extends object>(field: Field) => ({ ...field, always: true as const });

/** What resources can be filtered and sorted by, under the names of the API. */
export const resourceFields = {
  id: required(id('id')),
  type: required(kindField),
  entity_type: required(kindField),
  native_type: text('native_type'),
  data_type: text('type'),
  title: {
    ...required(text('title')),
    head: Prisma.raw('left(r.title, 256)'),
    folded: Prisma.raw('lower(r.title)'),
  },
  title_full: { ...required(text('title_full')), head: Prisma.raw('left(r.title_full, 256)') },
  description: text('description'),
  definition: required(text('definition')),
  parent_id: id('parent_id'),
  parent: id('parent_id'),
  integration_id: describedBy,
  integration: describedBy,
  owner_integration_id: id('integration_id'),
  published: required(flag('published')),
  verified: required(flag('verified')),
  pii: required(flag('pii')),
  archived: required(flag('archived')),
  stale: required(flag('stale')),
  deprecated: required({
    sql: Prisma.raw('(r.deprecated_at is not null)'),
    type: 'boolean',
  } as const),
  edited: required({ sql: Prisma.raw(`(r.edited_fields <> '{}')`), type: 'boolean' } as const),
  created_at: required(time('created_at')),
  updated_at: required(time('updated_at')),
  external_updated_at: time('external_updated_at'),
  external_usage: required(number('r.external_usage')),
  internal_usage: required(number('r.internal_usage')),
  total_usage: required(number('(r.external_usage + r.internal_usage)')),
  databuilder_id: text('databuilder_id'),
  owners: ids('owner_ids'),
  owners_groups: ids('owner_group_ids'),
  tags: ids('tag_ids'),
  teams: ids('team_ids'),
  collections: ids('collection_ids'),
  subscribers: ids('subscriber_ids'),
  bookmarked_by: ids('bookmarked_by_ids'),
  database: text('database_name'),
  schema: text('schema_name'),
  status: { ...text('question_status'), words: questionStatuses },
  term_status: {
    sql: Prisma.raw(`case when r.kind = 'glossary' then coalesce(r.term_status, 'draft') end`),
    type: 'text',
    words: termStatuses,
  } as const,
  synonyms: required({
    sql: Prisma.raw(`array_to_string(r.synonyms, ', ')`),
    type: 'text',
  } as const),
  priority: { ...text('question_priority'), words: priorities },
  assigned_to: id('assigned_to_id'),
} as const satisfies FilterFields;
