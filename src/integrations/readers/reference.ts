// In charge of how a lineage line points at its ends: by key, by name, or by a query.

import type { Reference } from './extraction.ts';
import { type JsonRecord, textLimits } from './record.ts';

/** One end of a lineage line as it is written; a query stands for all the tables it reads. */
export type Pointer = Reference | { by: 'query'; sql: string; dialect: string | undefined };

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

/** What `from_identifier` says. Throws BAD_REQUEST unless it has exactly one of the forms. */
export function readFrom(line: JsonRecord): Pointer {
  const { form, record } = chosen(line, 'from_identifier', forms.from);
  if (form !== 'tables_from_query') return readEnd(form, record);
  const sql = record.required('sql', textLimits.text);
  return { by: 'query', sql, dialect: record.text('dialect')?.trim() || undefined };
}

/** What `to_identifier` says. Throws BAD_REQUEST unless it has exactly one of the forms. */
export function readTo(line: JsonRecord): Reference {
  const { form, record } = chosen(line, 'to_identifier', forms.to);
  return readEnd(form, record);
}

function chosen<Form extends keyof typeof fieldsOf>(
  line: JsonRecord,
  name: string,
  allowed: readonly Form[],
): { form: Form; record: JsonRecord } {
  const end = line.nested(name);
  if (!end) throw line.fail(name, 'is required.');
  end.only(new Set(allowed));
  const given = allowed.flatMap((form) => {
    const record = end.nested(form);
    return record ? [{ form, record }] : [];
  });
  const [only, second] = given;
  if (!only || second) throw line.fail(name, `must have exactly one of ${allowed.join(', ')}.`);
  only.record.only(fieldsOf[only.form]);
  return only;
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
