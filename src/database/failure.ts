// Failures of the database, as clients see them.

import pg from 'pg';
import { CatalogError, conflict, invalid, unavailable } from '../errors.ts';
import { uniqueMessage } from './unique.ts';

/**
 * The error that a client may see for a failure of the database, or null for a fault of ours. A value
 * that PostgreSQL cannot hold is the client's mistake, a lost connection is no one's.
 */
export function failureOf(error: unknown): CatalogError | null {
  const chain = causesOf(error);
  const own = chain.find((link) => link instanceof CatalogError);
  if (own) return own;
  const code = codeOf(chain);
  if (code === null) return null;
  if (code === '23505' || code === 'P2002') return conflict(uniqueMessage(chain));
  if (code === '23503' || code === 'P2003' || code === 'P2025') {
    return conflict('Something that this refers to was changed or deleted at the same time.');
  }
  if (collisions.has(code) || code === '55P03') {
    return conflict('Another request changed the same thing at the same time; try again.');
  }
  // A statement that was cancelled, a transaction that asked nothing for too long, or lasted for too long.
  if (code === '57014' || code === '25P03' || code === '25P04') {
    return unavailable('The request took too long and was stopped.');
  }
  if (code === '53100') {
    return new CatalogError('INSUFFICIENT_STORAGE', 'The server has no room to store this.');
  }
  if (isDataException(code)) return invalid('A value is out of range, or not in its form.');
  return isUnreachable(code) ? unavailable('The database does not answer; try again.') : null;
}

/**
 * Why a statement got no connection, so that nothing of it was done: all are in use, those of the pool
 * or those of the server, or the server did not answer in time. Null where it did get one.
 */
export function lacksConnection(error: unknown): 'in use' | 'silent' | null {
  const chain = causesOf(error);
  if (codeOf(chain) === '53300') return 'in use';
  const says = (pattern: RegExp) =>
    chain.some((link) => link instanceof Error && pattern.test(link.message));
  if (says(/^timeout exceeded when trying to connect/)) return 'in use';
  return says(/^Connection terminated due to connection timeout/) ? 'silent' : null;
}

/**
 * Whether a connection can't be used again after a statement on it failed so. The server refuses a
 * statement and goes on; it says so where it ends the session, and what it does not say is not known.
 */
export function breaksConnection(error: unknown): boolean {
  const chain = causesOf(error);
  // A request whose time is over sends nothing more.
  if (chain.some((link) => link instanceof CatalogError)) return false;
  const refused = chain.find((link) => link instanceof pg.DatabaseError);
  return refused?.code === undefined || /^(08|28|57P|XX|25P03|25P04|25006)/.test(refused.code);
}

/**
 * Whether what became of a commit that failed so is open: it was sent, and the server did not say that it refused it.
 * A server that ends the session may have committed before that.
 */
export function leavesOpen(error: unknown): boolean {
  const chain = causesOf(error);
  const wasSent = !chain.some((link) => link instanceof Error && notSent.test(link.message));
  const code = codeOf(chain);
  return wasSent && code !== null && isUnreachable(code) && !/^(25|53|57P03)/.test(code);
}

/** What node-postgres says of a connection that it knew to be broken. */
const notSent = /not queryable/;

/** Whether a server took no write: it was the primary, and became a standby, or is led to no more. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(causesOf(error)) === '25006';
}

/** Whether PostgreSQL ended a transaction for the sake of another one: it may work the next time. */
export function isCollision(error: unknown): boolean {
  const code = codeOf(causesOf(error));
  return code !== null && collisions.has(code);
}

/** Whether a statement waited for a lock for longer than it was to. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(causesOf(error)) === '55P03';
}

/** Whether a row could not go because others refer to it, or not be written because what it refers to is not there. */
export function breaksReference(error: unknown): boolean {
  return codeOf(causesOf(error)) === '23503';
}

const collisions = new Set(['40001', '40P01', 'P2034']);

// Class 22 of PostgreSQL's codes: numeric overflow, a date past its range, text that is no UTF-8.
// 54000: a text that is longer than an index can hold.
function isDataException(code: string): boolean {
  return code.startsWith('22') || code === '54000' || code === 'P2020' || code === 'P2000';
}

const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
  '53200',
  '53300',
  '25006',
  'EAI_AGAIN',
  'ENETUNREACH',
  'P2037',
]);

/**
 * These say that a server is away where a connection to it is made: its socket is not there, or takes no more
 * now, or this process may open no more files. Of a file they say something else.
 */
const ofConnecting = new Set(['ENOENT', 'EAGAIN', 'EMFILE', 'ENFILE']);

function isUnreachable(code: string): boolean {
  return unreachable.has(code) || ofConnecting.has(code) || /^(08|57P)/.test(code);
}

/** Errors wrap errors: Prisma's wraps its adapter's, which wraps the driver's. */
const maxDepth = 8;

/** The chain of causes, from the outside in; Prisma keeps its adapter's error in its own place. */
function causesOf(error: unknown): object[] {
  const chain: object[] = [];
  let link = error;
  while (typeof link === 'object' && link !== null && chain.length < maxDepth) {
    chain.push(link);
    link = 'cause' in link ? link.cause : 'meta' in link ? adapterError(link.meta) : undefined;
  }
  return chain;
}

function adapterError(meta: unknown): unknown {
  if (typeof meta !== 'object' || meta === null) return undefined;
  return 'driverAdapterError' in meta ? meta.driverAdapterError : undefined;
}

/** The code of the failure: PostgreSQL's own wherever it stands, else the outermost there is. */
function codeOf(chain: readonly object[]): string | null {
  for (const link of chain) {
    // Prisma's driver adapters keep PostgreSQL's own code apart, and drop some.
    if ('originalCode' in link && typeof link.originalCode === 'string') return link.originalCode;
    const dropped =
      'kind' in link && typeof link.kind === 'string' ? codesOfKinds.get(link.kind) : undefined;
    if (dropped !== undefined) return dropped;
  }
  for (const link of chain) {
    if ('code' in link && typeof link.code === 'string' && !isOfFile(link)) return link.code;
    if (!(link instanceof Error)) continue;
    const known = codesOfMessages.find(([pattern]) => pattern.test(link.message));
    if (known) return known[1];
  }
  return null;
}

/** Whether an error of the system is about a file, which has nothing to do with the database. */
function isOfFile(link: object): boolean {
  const { code = '', syscall }: NodeJS.ErrnoException = link instanceof Error ? link : new Error();
  return ofConnecting.has(code) && syscall !== 'connect';
}

/** What Prisma's driver adapters say instead of a code of PostgreSQL or of the socket. */
const codesOfKinds: ReadonlyMap<string, string> = new Map([
  ['TransactionWriteConflict', '40001'],
  ['ConnectionClosed', 'ECONNRESET'],
  ['SocketTimeout', 'ETIMEDOUT'],
  ['DatabaseNotReachable', 'ECONNREFUSED'],
]);

/** node-postgres gives these no code. */
const codesOfMessages: readonly [RegExp, string][] = [
  [/^timeout (exceeded when trying to connect|expired$)/, 'ETIMEDOUT'],
  [/^(Connection terminated|Client was closed|Client has encountered a conn)/, 'ECONNRESET'],
];
