// The values that Databricks answers, which are texts, by the types that it declares.

/** A column of an answer. */
export interface DatabricksColumn {
  readonly name: string;
  readonly type_name: string;
}

/** The value of a cell: a number, bigint, boolean, Date or text; null stays null. Decimals are texts, records JSON. */
export function databricksValue(
  cell: string | null,
  { type_name: type }: DatabricksColumn,
): unknown {
  if (cell === null) return null;
  switch (type.toUpperCase()) {
    case 'BYTE':
    case 'SHORT':
    case 'INT':
    case 'LONG': {
      const number = Number(cell);
      return Number.isSafeInteger(number) ? number : BigInt(cell);
    }
    case 'FLOAT':
    case 'DOUBLE':
      return Number(cell);
    case 'BOOLEAN':
      return cell === 'true';
    case 'TIMESTAMP':
      // What names no zone is in that of the session, which is UTC unless the workspace says otherwise.
      return momentOf(cell);
    default:
      return cell;
  }
}

function momentOf(cell: string): unknown {
  const text = cell.replace(' ', 'T');
  const date = new Date(/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(date.getTime()) ? cell : date;
}
