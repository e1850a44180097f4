// People who edit while an import writes: neither loses anything of the other.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { transaction } from '../../../src/database/transaction.ts';
import { importJsonl } from '../../../src/integrations/imports/sync.ts';
import type { ResourceChanges } from '../../../src/resources/editing/asked-changes.ts';
import { listVersions } from '../../../src/resources/editing/documentation-version.ts';
import { updateResource } from '../../../src/resources/editing/edit.ts';
import { lockResources } from '../../../src/resources/editing/lock.ts';
import { archiveTeam } from '../../../src/teams/archive.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { feedJsonl, resourceAt } from './feed.ts';

const table = (key: string, more: object = {}) => ({
  entity_type: 'table',
  databuilder_id: key,
  title: key,
  ...more,
});

/** Something that is waited for, and a test can say to have come. */
function signal() {
  let reach = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  return { reached, reach };
}

/** Waits until so many statements of the catalog's database wait for a lock. */
async function waiting({ owner }: Catalog, number: number): Promise<void> {
  for (;;) {
    const { rows } = await owner.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if ((rows[0]?.n ?? 0) >= number) return;
    await sleep(10);
  }
}

test('documentation that is saved while an import writes it: both have a version, and neither fails', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const lines = (definition: string) => ['a', 'b'].map((key) => table(key, { definition }));
  await feedJsonl(catalog, integration, { resources: lines('of the source') });
  const [a, b] = [await resourceAt(catalog, 'a'), await resourceAt(catalog, 'b')];

  // Somebody who holds one of the tables keeps the import in the midst of its writing.
  const [held, release] = [signal(), signal()];
  const holding = transaction(catalog.admin, async (tx) => {
    await lockResources(tx, [a.id]);
    held.reach();
    await release.reached;
  });
  await held.reached;
  const { statements } = await catalog.counting(async () => {
    const importing = feedJsonl(catalog, integration, { resources: lines('of the source again') });
    await waiting(catalog, 1);
    const saving = updateResource(catalog.admin, b.id, { definition: 'by hand' });
    await Promise.race([waiting(catalog, 2), saving]);
    release.reach();
    await Promise.all([importing, saving, holding]);
  });
  // Neither had to be run again.
  const saves = statements.filter((text) => /^insert into "public"."resource_version"/i.test(text));
  expect(statements.filter((text) => /insert into resource_version/.test(text))).toHaveLength(1);
  expect(saves.length).toBeLessThanOrEqual(2);

  const after = await resourceAt(catalog, 'b');
  expect(after).toMatchObject({ definition: 'by hand', editedFields: ['definition'] });
  const { nodes } = await listVersions(catalog.admin, b.id, { first: 10 });
  expect(nodes.map(({ version }) => version)).toEqual(nodes.map((_, at) => nodes.length - at));
  expect(nodes.map(({ definition }) => definition)).toContain('by hand');
  expect(nodes[0]).toMatchObject({ definition: 'by hand', version: after.definitionVersion });
  expect(await resourceAt(catalog, 'a')).toMatchObject({ definition: 'of the source again' });
});

test('a team that is deleted while a file is read holds nothing of what the file brings', async () => {
  await using catalog = await openCatalog();
  const [team, kept] = [await catalog.team(), await catalog.team()];
  const general = await catalog.defaultTeam();
  const cases: readonly { teamIds: string[]; after: string[] }[] = [
    { teamIds: [team.id], after: [general.id] },
    { teamIds: [kept.id, (await catalog.team()).id], after: [kept.id] },
  ];
  for (const { teamIds, after } of cases) {
    const { id } = await catalog.integration({ teamIds });
    const gone = teamIds.at(-1) ?? '';
    async function* bytes() {
      yield Buffer.from(`${JSON.stringify(table('orders'))}\n`);
      await archiveTeam(catalog.admin, gone);
    }
    await importJsonl(catalog.admin, id, { resources: { file: 'resources', bytes: bytes() } });
    const found = await catalog.database.prisma.resource.findMany({ where: { integrationId: id } });
    expect(found.map((one) => one.teamIds)).toEqual([after]);
  }
});

test('edits at random during imports are all there afterwards', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const keys = Array.from({ length: 40 }, (_, n) => `t${n}`);
  const lines = (round: number) =>
    keys.map((key) =>
      table(key, {
        description: `source ${round}`,
        definition: `source ${round}`,
        tags: [`source ${round % 3}`],
        native_type: `type ${round}`,
      }),
    );
  await feedJsonl(catalog, integration, { resources: lines(0) });
  const ids = await Promise.all(keys.map(async (key) => (await resourceAt(catalog, key)).id));
  const tag = await catalog.tag();
  const edits: ResourceChanges[] = [
    { description: 'by hand' },
    { definition: 'by hand' },
    { addTagIds: [tag.id] },
  ];
  for (const round of [1, 2, 3]) {
    const importing = feedJsonl(catalog, integration, { resources: lines(round) });
    for (const [at, id] of ids.entries()) {
      const changes = edits[(at + round) % 3] ?? {};
      // Two at once, of which the second one names nothing that an import decides.
      await Promise.all([
        updateResource(catalog.admin, id, changes),
        updateResource(catalog.admin, id, { pii: round % 2 === 1 }),
      ]);
    }
    await importing;
  }
  await feedJsonl(catalog, integration, { resources: lines(4) });
  for (const key of keys) {
    const after = await resourceAt(catalog, key);
    expect([key, after.description, after.definition]).toEqual([key, 'by hand', 'by hand']);
    expect([after.tagIds.includes(tag.id), after.pii]).toEqual([true, true]);
    expect(after.nativeType).toBe('type 4');
    const { nodes } = await listVersions(catalog.admin, after.id, { first: 20 });
    expect(nodes.map(({ version }) => version)).toEqual(nodes.map((_, at) => nodes.length - at));
    expect(nodes[0]).toMatchObject({ definition: 'by hand', version: after.definitionVersion });
  }
});
