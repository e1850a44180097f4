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

/** Sealed entries of a workspace after a position, some of them, in their order. */
export async function readSealed(
  db: Connection,
  workspaceId: string,
  after: number,
): Promise<ExportedEntry[]> {
  return rows<ExportedEntry>(
    db,
    // The page comes first: lines of all that follows would be made to be sorted.
    Prisma.sql`select s.position, l.line
      from (select s.* from audit_seal s
          where s.workspace_id = ${workspaceId}::uuid and s.position > greatest(${after}::int,
            (select c.position from audit_cut c where c.workspace_id = ${workspaceId}::uuid))
          order by s.position limit ${pageSize}) s
        cross join lateral (select ${line} as line from (select) one
          left join audit_log a on a.workspace_id = s.workspace_id and a.sequence = s.sequence
          left join audit_seal p on p.workspace_id = s.workspace_id and p.position = s.position - 1) l
      order by s.position`,
  );
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
    const page = await readSealed(now, ctx.workspaceId, position);
    const last = page.at(-1);
    if (!last) return;
    yield page.map((one) => `${one.line}\n`).join('');
    if (page.length < pageSize) return;
    position = last.position;
  }
}
