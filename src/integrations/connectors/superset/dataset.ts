// A dataset of Superset, as its interface says it: any field may be missing in some version.

import { z } from 'zod';

/** The id of anything of Superset. */
export const id = z.number();
/** A text that need not be there. */
export const text = z.string().nullish();
/** People; newer versions name groups and roles as well, by a label. */
export const people = z
  .array(z.object({ first_name: text, last_name: text, email: text, label: text }))
  .nullish();

/** What is read of a dataset. */
export const dataset = z.object({
  ...{ id, table_name: z.string(), schema: text, catalog: text, sql: text, description: text },
  database: z.object({ id, database_name: text, backend: text }),
  columns: z
    .array(z.object({ column_name: z.string(), type: text, expression: text, description: text }))
    .default([]),
  metrics: z.array(z.object({ metric_name: z.string(), expression: text })).default([]),
  changed_on: text,
  owners: people,
  editors: people,
});

/** A dataset with its columns and metrics. */
export type SupersetDataset = z.infer<typeof dataset>;
