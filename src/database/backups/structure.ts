// What would check or follow each row while rows are copied: taken off, and put back.

import pg from 'pg';
import { messageWithRow } from './session.ts';
import { ownRelations } from './tables.ts';

/** Something of a table that is made of its rows or checks them, as the statements that move it. */
interface Part {
  readonly name: string;
  readonly drop: string;
  readonly make: string;
}

/**
 * Drop the foreign keys, the other keys and the indexes of all tables, stop their triggers, and let their
 * owner past row-level security, under which nothing can be copied in; what makes them again. Made for all rows at once they take less time, no row has to come before another one,
 * and nothing is needed for it but to own the tables.
 */
export async function takeOff(client: pg.ClientBase): Promise<readonly Part[]> {
  const { rows: parts } = await client.query<Part>(
    `with own as (select c.oid, c.oid::regclass::text as name from ${ownRelations}
       and c.relkind = 'r' and c.relname <> '_prisma_migrations')
     select case c.contype when 'f' then 1 else 2 end as turn, c.conname::text as name,
         format('alter table %s drop constraint %I', own.name, c.conname) as drop,
         format('alter table %s add constraint %I %s', own.name, c.conname,
           pg_get_constraintdef(c.oid)) as make
       from pg_constraint c join own on own.oid = c.conrelid
       where c.contype in ('f', 'p', 'u', 'x')
     union all select 3, i.indexrelid::regclass::text, format('drop index %s', i.indexrelid::regclass),
         pg_get_indexdef(i.indexrelid)
       from pg_index i join own on own.oid = i.indrelid
       where not exists (select from pg_constraint c where c.conindid = i.indexrelid
         and c.contype in ('p', 'u', 'x'))
     union all select 4, t.tgname, format('alter table %s disable trigger %I', own.name, t.tgname),
         format('alter table %s enable %s trigger %I', own.name,
           case t.tgenabled when 'A' then 'always' else '' end, t.tgname)
       from pg_trigger t join own on own.oid = t.tgrelid
       where not t.tgisinternal and t.tgenabled in ('O', 'A')
     union all select 5, 'row-level security of ' || own.name,
         format('alter table %s no force row level security', own.name),
         format('alter table %s force row level security', own.name)
       from own join pg_class c on c.oid = own.oid where c.relforcerowsecurity
     order by turn, name`,
  );
  for (const { drop } of parts) await client.query(drop);
  // A foreign key needs the index of what it points at.
  return parts.toReversed();
}

/** Make again what was taken off, reporting each. Throws where rows do not allow it. */
export async function putBack(
  client: pg.ClientBase,
  parts: readonly Part[],
  onPart: (name: string) => void,
): Promise<void> {
  for (const { name, make } of parts) {
    onPart(name);
    try {
      await client.query(make);
    } catch (error) {
      if (!isViolation(error)) throw error;
      throw new Error(`The restored rows do not allow ${name}: ${messageWithRow(error)}.`, {
        cause: error,
      });
    }
  }
}

/** Such as an email address that two rows have, which are one only by the rules of this server. */
export function isViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith('23') === true;
}
