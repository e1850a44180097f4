// How far the audit log has been streamed, and which process streams it.

import type { Database } from '../../database/database.ts';
import { acrossWorkspaces } from '../../database/outside.ts';
import { type Connection, execute, rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';

/** The name of the setting that the lease is in: `{"holder", "until"}`, the last in seconds since 1970. */
const name = 'audit_stream';
/** A holder that is silent for so long is taken for lost: longer than a batch may take. */
const leaseSeconds = 90;

const json = Prisma.sql`s.value::jsonb`;
const later = Prisma.sql`extract(epoch from now()) + ${leaseSeconds}::int`;

/** Take or keep the lease; whether this process has it. */
export async function takeLease(database: Database, holder: string): Promise<boolean> {
  const taken = await execute(
    acrossWorkspaces(database),
    Prisma.sql`insert into setting as s (name, value)
      values (${name}, jsonb_build_object('holder', ${holder}::text, 'until', ${later})::text)
      on conflict (name) do update
        set value = (${json} || jsonb_build_object('holder', ${holder}::text, 'until', ${later}))::text
        where ${json}->>'holder' = ${holder} or (${json}->>'until')::float8 < extract(epoch from now())`,
  );
  return taken > 0;
}

/** What is to be sent next: the entries of a workspace after a position. */
interface Unsent {
  readonly workspaceId: string;
  readonly after: number;
}

/** The workspace with sealed entries that are not sent whose turn it is: the one to which nothing came for longest. */
export async function findUnsent(database: Database): Promise<Unsent | null> {
  const [unsent] = await rows<Unsent>(
    acrossWorkspaces(database),
    Prisma.sql`select w.id as "workspaceId", coalesce(x.position, 0) as after
      from workspace w left join audit_sent x on x.workspace_id = w.id
      where exists (select from audit_seal s where s.workspace_id = w.id and s.position > coalesce(x.position, 0))
      order by x.sent_at nulls first, w.id limit 1`,
  );
  return unsent ?? null;
}

/** Note that all up to a position of a workspace was sent, unless another process has the lease by now. */
export async function notePosition(
  database: Database,
  holder: string,
  workspaceId: string,
  position: number,
): Promise<void> {
  await execute(
    acrossWorkspaces(database),
    Prisma.sql`insert into audit_sent (workspace_id, position)
      select w.id, ${position}::int from workspace w, setting s
        where w.id = ${workspaceId}::uuid and s.name = ${name} and ${json}->>'holder' = ${holder}
      on conflict (workspace_id) do update set position = excluded.position, sent_at = now()`,
  );
}

/** Let the next process stream at once. */
export async function giveLease(database: Database, holder: string): Promise<void> {
  await execute(
    acrossWorkspaces(database),
    Prisma.sql`update setting s set value = (${json} || jsonb_build_object('holder', null, 'until', 0))::text
      where name = ${name} and ${json}->>'holder' = ${holder}`,
  );
}

/** Entries that are not sent yet, sealed or not. */
export interface UnsentFigure {
  /** At most `mostCounted`. */
  readonly count: number;
  /** Seconds since the first of them was written; 0 for none. */
  readonly oldestSeconds: number;
}

const mostCounted = 10_000;

/** Count what is to be sent yet. */
export async function countUnsent(db: Connection): Promise<UnsentFigure> {
  const [figure] = await rows<UnsentFigure>(
    db,
    Prisma.sql`select count(*)::int,
        greatest(coalesce(extract(epoch from now() - min(created_at)), 0), 0)::float8 as "oldestSeconds"
      from (select a.created_at from workspace w
        left join audit_sent x on x.workspace_id = w.id
        left join audit_seal s on s.workspace_id = w.id and s.position = x.position
        cross join lateral (select a.created_at from audit_log a
          where a.workspace_id = w.id and a.sequence > coalesce(s.sequence, 0)
          order by a.sequence limit ${mostCounted}) a
        limit ${mostCounted}) unsent`,
  );
  if (!figure) throw new Error('The entries that are not sent could not be counted.');
  return figure;
}
