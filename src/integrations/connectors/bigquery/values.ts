// The values that BigQuery answers, by the schema that it declares.

import { z } from 'zod';

/** A column or field of an answer. */
export interface BigQueryField {
  readonly name: string;
  readonly type: string;
  readonly mode?: string | undefined;
  readonly fields?: readonly BigQueryField[] | undefined;
}

export const bigQueryField: z.ZodType<BigQueryField> = z.lazy(() =>
  z.object({
    name: z.string(),
    type: z.string(),
    mode: z.string().optional(),
    fields: z.array(bigQueryField).optional(),
  }),
);

const record = z.object({ f: z.array(z.object({ v: z.unknown() })) });
const list = z.array(z.object({ v: z.unknown() }));

/** A row of an answer. */
export function bigQueryRow(row: unknown, fields: readonly BigQueryField[]): unknown[] {
  const cells = record.parse(row).f;
  return fields.map((field, at) => bigQueryValue(cells[at]?.v ?? null, field));
}

/**
 * The value of a cell: a number, boolean, Date or text; records and lists are JSON. Integers that a number cannot hold are
 * bigints, decimals texts.
 */
export function bigQueryValue(cell: unknown, field: BigQueryField): unknown {
  const plain = plainOf(cell, field);
  return typeof plain === 'object' && plain !== null && !(plain instanceof Date)
    ? JSON.stringify(plain, (_, value) => (typeof value === 'bigint' ? String(value) : value))
    : plain;
}

function plainOf(cell: unknown, field: BigQueryField): unknown {
  if (cell === null || cell === undefined) return null;
  if (field.mode === 'REPEATED') {
    return list.parse(cell).map(({ v }) => plainOf(v, { ...field, mode: 'NULLABLE' }));
  }
  const { fields = [] } = field;
  switch (field.type.toUpperCase()) {
    case 'RECORD':
    case 'STRUCT': {
      const cells = record.parse(cell).f;
      return Object.fromEntries(fields.map((own, at) => [own.name, plainOf(cells[at]?.v, own)]));
    }
    case 'INTEGER':
    case 'INT64': {
      const number = Number(cell);
      return Number.isSafeInteger(number) ? number : BigInt(String(cell));
    }
    case 'FLOAT':
    case 'FLOAT64':
      return Number(cell);
    case 'BOOLEAN':
    case 'BOOL':
      return String(cell) === 'true';
    case 'TIMESTAMP':
      // Microseconds, as they are asked for.
      return new Date(Number(BigInt(String(cell)) / 1_000n));
    default:
      return String(cell);
  }
}
