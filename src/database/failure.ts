// In charge of what a failure of the database means to a client.

import { CatalogError, conflict, invalid, unavailable } from '../errors.ts';

/**
 * The error that a client may see for a failure of the database, or null for a fault of ours. A value
 * that PostgreSQL cannot hold is the client's mistake, a lost connection is nobody's.
 */
export function failureOf(error: unknown): CatalogError | null {
  if (error instanceof CatalogError) return error;
  const code = codeOf(error);
  if (code === null) return null;
  if (code === '23505' || code === 'P2002') return conflict('Something equal exists already.');
  if (code === '23503' || code === 'P2003' || code === 'P2025') {
    return conflict('Something that this refers to was changed or deleted at the same time.');
  }
  if (code === '40001' || code === '40P01' || code === '55P03' || code === 'P2034') {
    return conflict('Another request changed the same thing at the same time; try again.');
  }
  if (code === '57014') return unavailable('The request took too long and was stopped.');
  if (code === '53100') {
    return new CatalogError('INSUFFICIENT_STORAGE', 'The server has no room to store this.');
  }
  if (isDataException(code)) return invalid('A value is out of range, or not in its form.');
  return isUnreachable(code) ? unavailable('The database does not answer; try again.') : null;
}

// Class 22 of PostgreSQL's codes: numeric overflow, a date past its range, text that is no UTF-8.
function isDataException(code: string): boolean {
  return code.startsWith('22') || code === 'P2020' || code === 'P2000';
}

const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
  '57P01',
  '57P02',
  '57P03',
  '53300',
]);

function isUnreachable(code: string): boolean {
  return unreachable.has(code) || code.startsWith('08');
}

/** The code of PostgreSQL, Node.js or Prisma, wherever in the chain of causes it stands. */
function codeOf(error: unknown): string | null {
  for (let inner = error, depth = 0; depth < 8; depth += 1) {
    if (typeof inner !== 'object' || inner === null) return null;
    // Prisma's driver adapters keep PostgreSQL's own code apart.
    if ('originalCode' in inner && typeof inner.originalCode === 'string') {
      return inner.originalCode;
    }
    const next: unknown = 'cause' in inner ? inner.cause : undefined;
    const code: unknown = 'code' in inner ? inner.code : undefined;
    if (typeof code === 'string' && !(code === 'P2010' && next)) return code;
    if (inner instanceof Error && /timeout exceeded when trying to connect/.test(inner.message)) {
      return 'ETIMEDOUT';
    }
    if (inner instanceof Error && /Connection terminated/.test(inner.message)) return 'ECONNRESET';
    if (inner instanceof Error && /Query read timeout/.test(inner.message)) return '57014';
    inner = next;
  }
  return null;
}
