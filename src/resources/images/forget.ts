// Images that no text shows any more.

import { Prisma } from '../../generated/prisma/client.ts';
import { daysAgo, keptRows } from '../../jobs/kept-rows.ts';

/** Wherever people write Markdown, the versions of before included. */
const texts = Prisma.sql`(
  select r.workspace_id, concat_ws(' ', r.description, r.definition, r.answer, r.deprecation_note) as text
    from resource r
  union all select v.workspace_id, v.definition from resource_version v
  union all select c.workspace_id, c.text from comment c
  union all select a.workspace_id, a.text from announcement a
  union all select p.workspace_id, p.value from custom_property_value p)`;

const address = '/api/v1/images/';

/** Images that were uploaded long ago, and that no text shows: all texts are read once for them. */
export const keptImages = keptRows(
  'images that no text shows',
  'image',
  (days) => Prisma.sql`image o where o.created_at < ${daysAgo(days)}
    and (o.workspace_id, o.id::text) not in (select t.workspace_id, lower(m.found[1]) from ${texts} t
      cross join lateral regexp_matches(t.text, ${`${address}([0-9A-Fa-f-]{36})`}, 'g') m(found)
      where t.text like ${`%${address}%`})`,
);
