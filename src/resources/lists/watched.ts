// Conditions on a resource `r` about what watches it: incidents, monitors and tests of it or of its columns.

import { Prisma } from '../../generated/prisma/client.ts';

const isOrHolds = (target: string) =>
  Prisma.raw(`(${target} = r.id or exists (select from resource k
    where k.workspace_id = r.workspace_id and k.id = ${target} and k.parent_id = r.id and not k.archived))`);

/** An incident of it, or of one of its columns, is open. */
export const hasOpenIncident = Prisma.sql`exists (select from incident i
  where i.workspace_id = r.workspace_id and i.status <> 'resolved' and ${isOrHolds('i.target_id')})`;

/** A monitor watches it, or one of its columns. */
export const hasMonitor = Prisma.sql`exists (select from monitor m
  where m.workspace_id = r.workspace_id and ${isOrHolds('m.target_id')})`;

/** A test that its project declares of it, or of one of its columns, failed or could not be run the last time. */
export const hasFailingTest = Prisma.sql`exists (select from data_test d
  where d.workspace_id = r.workspace_id and d.status in ('fail', 'error')
    and (d.resource_id = r.id or d.column_id = r.id))`;
