// The audit log as lines of JSON, each an entry with its link of the chain, for those who keep it elsewhere.

import { mustBeAllowed } from '../auth/permission.ts';
import { asOfNow, type Context } from '../context.ts';
import { type Connection, rows } from '../database/rows.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { contentOf, linkForm, momentColumns } from './chain.ts';

/** A sealed entry as it is exported. */
export interface ExportedEntry {
  /** Its place in the chain of its workspace, from 1. */
  readonly position: number;
  /** Its number among the entries of all workspaces. */
  readonly sequence: number;
  /** JSON in one line, with the values as they were hashed. */
  readonly line: string;
}

/** Entries that one statement reads: an entry of many changes has some hundred KB. */
const pageSize = 200;

const moment = (value: string) => `to_jsonb(${value} at time zone 'UTC') #>> '{}' || 'Z'`;

/** Pairs of a name and a value, for `jsonb_build_object`. */
const entry = contentOf(linkForm).columns.map((column) => {
  const value = `a.${column}`;
  return `'${column}', ${momentColumns.has(column) ? moment(value) : value}`;
});

/** An entry that was removed is null: its link is there to say so. */
const line = Prisma.raw(`jsonb_build_object('workspace_id', s.workspace_id, 'position', s.position,
  'entry', case when a.id is not null then jsonb_build_object(${entry.join(', ')}) end,
  'seal', jsonb_build_object('form', s.form, 'sealed_at', ${moment('s.sealed_at')},
    'previous', coalesce(p.hash, s.workspace_id::text), 'hash', s.hash))::text`);

async function readEntries(
  db: Connection,
  where: Prisma.Sql,
  order: Prisma.Sql,
): Promise<ExportedEntry[]> {
  return rows<ExportedEntry>(
    db,
    // The page comes first: lines of all that follows would be made to be sorted.
    Prisma.sql`select s.position, s.sequence, l.line
      from (select s.* from audit_seal s where ${where} order by ${order} limit ${pageSize}) s
        cross join lateral (select ${line} as line from (select) one
          left join audit_log a on a.sequence = s.sequence
          left join audit_seal p on p.workspace_id = s.workspace_id and p.position = s.position - 1) l
      order by ${order}`,
  );
}

/** The sealed entries of all workspaces after the one with a number, some of them, in their order. */
export async function readSealedAfter(db: Connection, sequence: number): Promise<ExportedEntry[]> {
  const where = Prisma.sql`s.sequence > ${sequence}::bigint`;
  return readEntries(db, where, Prisma.sql`s.sequence`);
}

/**
 * The sealed entries of the workspace after a position, up to the last one that there is when it is reached; a page of
 * lines at a time. Only admins may read them, and only for as long as they are: throws FORBIDDEN or UNAUTHENTICATED
 * where that ends in between.
 */
export async function* exportLog(ctx: Context, after: number): AsyncGenerator<string> {
  for (let position = after; ; ) {
    const now = await asOfNow(ctx);
    mustBeAllowed(now, 'read the audit log');
    const where = Prisma.sql`s.workspace_id = ${ctx.workspaceId}::uuid and s.position > ${position}::int`;
    const page = await readEntries(now, where, Prisma.sql`s.position`);
    const last = page.at(-1);
    if (!last) return;
    yield page.map((one) => `${one.line}\n`).join('');
    if (page.length < pageSize) return;
    position = last.position;
  }
}
