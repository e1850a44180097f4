// In charge of the plain fields of a resource: which kinds have them, and what they may hold.

import type { ResourceField } from '../auth/field-permission.ts';
import { type FieldError, invalid } from '../errors.ts';
import type { Resource } from '../generated/prisma/client.ts';
import { isStorable, isWebAddress } from '../text.ts';
import type { Kind } from './kind.ts';

/** The plain fields that people may set: absent leaves alone, null clears. */
export interface Fields {
  title?: string | null | undefined;
  description?: string | null | undefined;
  definition?: string | null | undefined;
  icon?: string | null | undefined;
  url?: string | null | undefined;
  nativeType?: string | null | undefined;
  databuilderId?: string | null | undefined;
  published?: boolean | null | undefined;
  pii?: boolean | null | undefined;
  verified?: boolean | null | undefined;
  databaseName?: string | null | undefined;
  schemaName?: string | null | undefined;
  cluster?: string | null | undefined;
  creationQuery?: string | null | undefined;
  rowCount?: number | null | undefined;
  byteSize?: number | null | undefined;
  type?: string | null | undefined;
  sortOrder?: number | null | undefined;
  isPk?: boolean | null | undefined;
  hidden?: boolean | null | undefined;
  product?: string | null | undefined;
  groupName?: string | null | undefined;
  sql?: string | null | undefined;
  dialect?: string | null | undefined;
  freq?: number | null | undefined;
  externalUsage?: number | null | undefined;
  externalUpdatedAt?: Date | null | undefined;
}

/** Fields as they are written: those that were given, with what stands for null where there is none. */
export type CheckedFields = Partial<Pick<Resource, keyof Fields>>;

interface Rule {
  /** Name of the field over REST. */
  readonly field: ResourceField;
  /** Characters, or the highest number. */
  readonly max?: number;
  /** Kinds that have the field; absent where all do. */
  readonly kinds?: readonly Kind[];
  /** What is stored for null where the column takes none. */
  readonly empty?: string | number | boolean;
  /** Whether it is an http or https address. */
  readonly isAddress?: boolean;
}

const warehouse: readonly Kind[] = ['database', 'schema', 'table', 'column'];
const visual: readonly Kind[] = ['dashboard_group', 'dashboard', 'chart'];

const rules: Record<keyof Fields, Rule> = {
  title: { field: 'title', max: 1_000, empty: '' },
  description: { field: 'description', max: 100_000 },
  definition: { field: 'definition', max: 1_000_000, empty: '' },
  icon: { field: 'icon', max: 200 },
  url: { field: 'url', max: 4_000, isAddress: true },
  nativeType: { field: 'native_type', max: 200 },
  // Of so many characters each may take four bytes, and an index holds no more.
  databuilderId: { field: 'databuilder_id', max: 600 },
  published: { field: 'published', empty: false },
  pii: { field: 'pii', empty: false },
  verified: { field: 'verified', empty: false },
  databaseName: { field: 'database', max: 1_000, kinds: warehouse },
  schemaName: { field: 'schema', max: 1_000, kinds: warehouse },
  cluster: { field: 'cluster', max: 1_000, kinds: warehouse },
  creationQuery: { field: 'creation_query', max: 1_000_000, kinds: ['table'] },
  rowCount: { field: 'row_count', max: Number.MAX_SAFE_INTEGER, kinds: warehouse },
  byteSize: { field: 'byte_size', max: Number.MAX_SAFE_INTEGER, kinds: warehouse },
  type: { field: 'type', max: 2_000, kinds: ['column', 'query', 'event_property'] },
  sortOrder: { field: 'sort_order', max: 1_000_000, kinds: ['column', 'event_property'] },
  isPk: { field: 'is_pk', kinds: ['column'], empty: false },
  hidden: { field: 'hidden', kinds: ['column'], empty: false },
  product: { field: 'product', max: 1_000, kinds: visual },
  groupName: { field: 'group', max: 1_000, kinds: visual },
  sql: { field: 'sql', max: 1_000_000, kinds: ['query'] },
  dialect: { field: 'dialect', max: 100, kinds: ['query'] },
  freq: { field: 'freq', max: 2_147_483_647, kinds: ['query'], empty: 0 },
  externalUsage: { field: 'external_usage', max: Number.MAX_SAFE_INTEGER, empty: 0 },
  externalUpdatedAt: { field: 'external_updated_at' },
};

/**
 * Check the fields that a client gave for a resource of a kind. Throws BAD_REQUEST that names every
 * field that is wrong: too long, not text, out of range. A field that the kind doesn't have is left
 * out: clients send the record of one kind to another.
 */
export function checkFields(kind: Kind, given: Fields): CheckedFields {
  const errors: FieldError[] = [];
  const checked = givenTo(kind, given).map(({ name, rule, value }) => {
    if (value === null) return [name, rule.empty ?? null];
    const message = problemOf(value, rule);
    if (message) errors.push({ field: rule.field, message });
    return [name, value];
  });
  const title = checked.find(([name]) => name === 'title');
  if (title && String(title[1]).trim() === '') {
    errors.push({ field: 'title', message: 'A title cannot be empty.' });
  }
  if (errors.length > 0) {
    throw invalid(errors.map(({ field, message }) => `${field}: ${message}`).join(' '), errors);
  }
  return Object.fromEntries(checked);
}

/** The fields that were given of those that a kind has. */
function givenTo(kind: Kind, given: Fields) {
  const values = new Map<string, unknown>(Object.entries(given));
  return Object.entries(rules).flatMap(([name, rule]) => {
    const value = values.get(name);
    const isMissing = value === undefined || (rule.kinds && !rule.kinds.includes(kind));
    return isMissing ? [] : [{ name, rule, value }];
  });
}

/**
 * The fields that a change makes different from what they are. Whoever sends back what they read, or says
 * of something new that it has nothing, sets nothing.
 */
export function fieldsChanged(kind: Kind, given: Fields, before: Fields): ResourceField[] {
  const there = new Map<string, unknown>(Object.entries(before));
  return givenTo(kind, given)
    .filter(({ name, value }) => comparable(value) !== comparable(there.get(name)))
    .map(({ rule }) => rule.field);
}

/** No text, no number and no are as good as nothing. */
function comparable(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : value || null;
}

function problemOf(value: unknown, rule: Rule): string | null {
  const { max = Number.POSITIVE_INFINITY, isAddress = false } = rule;
  if (typeof value === 'string') {
    if (value.length > max) return `It takes ${max} characters at most, not ${value.length}.`;
    if (!isStorable(value)) return 'It is not valid Unicode text.';
    if (isAddress && !isWebAddress(value))
      return 'Use an http or https address without blanks and without a password.';
  }
  if (typeof value === 'number' && !(value >= 0 && value <= max)) {
    return `It is a number from 0 to ${max}, not ${value}.`;
  }
  if (value instanceof Date && !(value.getTime() >= 0 && value.getUTCFullYear() <= 9999)) {
    return 'It is a date-time from 1970 to 9999.';
  }
  return null;
}
