// How a lineage line points at its ends: by key, by name, or by a query.

import type { Reference } from './extraction.ts';
import { type JsonRecord, textLimits } from './json-fields.ts';

/** One end of a lineage line as it is written; a query stands for all the tables it reads. */
export type Pointer = Reference | QueryPointer;

interface QueryPointer {
  by: 'query';
  sql: string;
  dialect: string | undefined;
  /** What comes before the name of a field of it, such as `from_identifier.`. */
  path: string;
}

/** The forms an end may have: a query can be read from, but nothing flows into one. */
const forms = {
  from: ['internal_resource', 'external_table', 'external_column', 'tables_from_query'],
  to: ['internal_resource', 'external_table', 'external_column'],
} as const;

const fieldsOf = {
  internal_resource: new Set(['databuilder_id']),
  external_table: new Set(['cluster', 'database', 'schema', 'table']),
  external_column: new Set(['cluster', 'database', 'schema', 'table', 'column']),
  tables_from_query: new Set(['sql', 'dialect']),
} as const;

/**
 * What `from_identifier` says: `{"type": "external_table", "table": "t"}`, or, as it is taken as well,
 * `{"external_table": {"table": "t"}}`. Throws BAD_REQUEST unless it has exactly one of the forms.
 */
export function readFrom(line: JsonRecord): Pointer {
  const { form, record } = chosen(line, 'from_identifier', forms.from);
  if (form !== 'tables_from_query') return readEnd(form, record);
  const sql = record.required('sql', textLimits.text);
  const dialect = record.text('dialect')?.trim() || undefined;
  return { by: 'query', sql, dialect, path: record.path };
}

/** What a field such as `to_identifier` says, as `readFrom`. Throws BAD_REQUEST unless it has exactly one of the forms. */
export function readTo(line: JsonRecord, name = 'to_identifier'): Reference {
  const { form, record } = chosen(line, name, forms.to);
  return readEnd(form, record);
}

function chosen<Form extends keyof typeof fieldsOf>(
  line: JsonRecord,
  name: string,
  allowed: readonly Form[],
): { form: Form; record: JsonRecord } {
  const end = line.nested(name);
  if (!end) throw line.fail(name, 'is required.');
  if (end.fields.type !== undefined) return typed(end, allowed);
  end.only(new Set(allowed));
  const given = allowed.flatMap((form) => {
    const record = end.nested(form);
    return record ? [{ form, record }] : [];
  });
  const [only, second] = given;
  if (!only) throw line.fail(name, `needs a type, which is one of ${allowed.join(', ')}.`);
  if (second) throw line.fail(name, `must have exactly one of ${allowed.join(', ')}.`);
  only.record.only(fieldsOf[only.form]);
  return only;
}

/** An end that says by its type which form it has, and has the fields of that form itself. */
function typed<Form extends keyof typeof fieldsOf>(end: JsonRecord, allowed: readonly Form[]) {
  const type = end.text('type');
  const form = allowed.find((one) => one === type);
  if (!form) throw end.fail('type', `must be one of ${allowed.join(', ')}.`);
  end.only(new Set(['type', ...fieldsOf[form]]));
  return { form, record: end };
}

function readEnd(form: (typeof forms.to)[number], record: JsonRecord): Reference {
  if (form === 'internal_resource') {
    return { by: 'key', key: record.required('databuilder_id', textLimits.key) };
  }
  return {
    by: 'name',
    cluster: record.text('cluster')?.trim() || undefined,
    database: record.text('database')?.trim() || undefined,
    schema: record.text('schema')?.trim() || undefined,
    table: record.required('table'),
    column: form === 'external_column' ? record.required('column') : undefined,
  };
}
