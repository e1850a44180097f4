// How far the audit log has been streamed, and which process streams it.

import type { Database } from '../../database/database.ts';
import { acrossWorkspaces } from '../../database/outside.ts';
import { type Connection, execute, rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';

/** The name of the setting that both are in: `{"sequence", "holder", "until"}`, the last in seconds since 1970. */
const name = 'audit_stream';
/** A holder that is silent for so long is taken for lost: longer than a batch may take. */
const leaseSeconds = 90;

const json = Prisma.sql`s.value::jsonb`;
const later = Prisma.sql`extract(epoch from now()) + ${leaseSeconds}::int`;

/** Take or keep the lease; the number of the last entry that was sent, or null while another process has it. */
export async function takeLease(database: Database, holder: string): Promise<number | null> {
  const [position] = await rows<{ sequence: number }>(
    acrossWorkspaces(database),
    Prisma.sql`insert into setting as s (name, value)
      values (${name}, jsonb_build_object('sequence', 0, 'holder', ${holder}::text, 'until', ${later})::text)
      on conflict (name) do update
        set value = (${json} || jsonb_build_object('holder', ${holder}::text, 'until', ${later}))::text
        where ${json}->>'holder' = ${holder} or (${json}->>'until')::float8 < extract(epoch from now())
      returning (${json}->>'sequence')::bigint as sequence`,
  );
  return position?.sequence ?? null;
}

/** Note that all up to an entry was sent, unless another process has the lease by now. */
export async function notePosition(
  database: Database,
  holder: string,
  sequence: number,
): Promise<void> {
  await execute(
    acrossWorkspaces(database),
    Prisma.sql`update setting s set value = (${json} || jsonb_build_object('sequence', ${sequence}::bigint))::text
      where name = ${name} and ${json}->>'holder' = ${holder}`,
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
      from (select a.created_at from audit_log a
        where a.sequence > coalesce((select (${json}->>'sequence')::bigint from setting s where name = ${name}), 0)
        order by a.sequence limit ${mostCounted}) unsent`,
  );
  if (!figure) throw new Error('The entries that are not sent could not be counted.');
  return figure;
}
