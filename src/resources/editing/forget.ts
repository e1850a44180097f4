// Old versions of documentation, and days of usage.

import { Prisma } from '../../generated/prisma/client.ts';
import { daysAgo, keptRows } from '../../jobs/kept-rows.ts';

/** Versions of a text that are kept however old they are, the newest. */
const keptVersions = 20;

/** Versions of documentation, but for the newest twenty of each text. */
export const keptTexts = keptRows(
  'versions of documentation',
  'resource_version',
  (days) => Prisma.sql`resource_version o where o.created_at < ${daysAgo(days)}
    and o.version <= (select max(n.version) from resource_version n
      where n.workspace_id = o.workspace_id and n.resource_id = o.resource_id) - ${keptVersions}`,
);

/** Days of which is known how often a resource was used. */
export const keptUsage = keptRows(
  'days of usage',
  'usage_day',
  (days) => Prisma.sql`usage_day o where o.day < ${daysAgo(days)}::date`,
);
