// The values that Snowflake answers, which are texts, by the types that it declares.

/** A column of an answer. */
export interface SnowflakeColumn {
  readonly name: string;
  readonly type: string;
  readonly scale?: number | null | undefined;
}

const exactDigits = 15;
const dayMs = 86_400_000;

/**
 * The value of a cell: a number, boolean, Date or text; null stays null. Integers of more than 15 digits are bigints,
 * decimals texts, moments cut to milliseconds.
 */
export function snowflakeValue(cell: string | null, { type, scale }: SnowflakeColumn): unknown {
  if (cell === null) return null;
  switch (type.toLowerCase()) {
    case 'fixed':
      return fixed(cell, scale ?? 0);
    case 'real':
      return real(cell);
    case 'boolean':
      return cell === 'true' || cell === '1';
    case 'date':
      return new Date(Number(cell) * dayMs);
    case 'timestamp_ntz':
    case 'timestamp_ltz':
      return moment(cell);
    case 'timestamp_tz':
      // The offset behind the blank says how it was written, not when it was.
      return moment(cell.split(' ')[0] ?? '');
    default:
      return cell;
  }
}

function fixed(cell: string, scale: number): unknown {
  if (scale !== 0 || !/^-?\d+$/.test(cell)) return cell;
  return cell.replace('-', '').length <= exactDigits ? Number(cell) : BigInt(cell);
}

function real(cell: string): number {
  const special = { inf: Number.POSITIVE_INFINITY, '-inf': Number.NEGATIVE_INFINITY };
  const found = Object.entries(special).find(([name]) => name === cell.toLowerCase());
  return found ? found[1] : Number(cell);
}

/** Seconds since 1970 with nine decimals, cut as text: a double loses microseconds. */
function moment(cell: string): Date {
  const [, sign = '', seconds = '0', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(cell) ?? [];
  const ms = Number(seconds) * 1_000 + Number(decimals.slice(0, 3).padEnd(3, '0'));
  return new Date(sign === '-' ? -ms : ms);
}
