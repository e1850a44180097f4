// Lets something happen between the plan of an import and the writing of it.

import { setTimeout as sleep } from 'node:timers/promises';
import { scratch } from '../../../../src/database/scratch.ts';
import type { Integration } from '../../../../src/generated/prisma/client.ts';
import type { ImportCounts } from '../../../../src/integrations/imports/options.ts';
import { importJsonl } from '../../../../src/integrations/imports/sync.ts';
import { textSource } from '../../../../src/integrations/readers/source.ts';
import type { Catalog } from '../../../catalog.ts';

/** Import lines of resources, as the admin; when they were compared with the catalog, do something, then write. */
export function feedMeanwhile(
  catalog: Catalog,
  { id }: Pick<Integration, 'id'>,
  resources: readonly object[],
  meanwhile: () => Promise<unknown>,
  edges: readonly object[] = [],
): Promise<ImportCounts> {
  let planned = () => {};
  const isPlanned = new Promise<void>((resolve) => {
    planned = resolve;
  });
  // The resources are planned when lineage comes, and written when all of it was read.
  const nowhere = { internal_resource: { databuilder_id: 'nowhere' } };
  const first = JSON.stringify({ from_identifier: nowhere, to_identifier: nowhere });
  const lineages = (async function* () {
    yield Buffer.from(`${first}\n`);
    await isPlanned;
    await meanwhile();
    yield Buffer.from(edges.map((edge) => `${JSON.stringify(edge)}\n`).join(''));
  })();
  const text = resources.map((line) => JSON.stringify(line)).join('\n');
  const sources = {
    resources: textSource('resources.jsonl', text),
    lineages: { file: 'lineages.jsonl', bytes: lineages },
  };
  return importJsonl(catalog.admin, id, sources, { onChanges: () => planned() });
}

/** Wait until somebody waits for a lock in the database of the catalog. */
export async function untilSomebodyWaits(catalog: Catalog): Promise<void> {
  for (;;) {
    const [row] = await scratch<{ n: number }>(
      catalog.admin,
      `select count(*)::integer as n from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where not l.granted and a.datname = current_database()`,
    );
    if (row && row.n > 0) return;
    await sleep(10);
  }
}
