// Plans of imports into a catalog of which the database has no figures, or such of an earlier time.

import { expect, test } from 'vitest';
import { scratch } from '../../../../src/database/scratch.ts';
import { kindNames } from '../../../../src/resources/kind.ts';
import { type Catalog, openCatalog } from '../../../catalog.ts';
import { feedJsonl } from '../feed.ts';
import { feedMeanwhile } from './meanwhile.ts';

const tables = (count: number, description = '') =>
  Array.from({ length: count }, (_, n) => ({
    ...{ entity_type: 'table', databuilder_id: `t${n}`, title: `t${n}`, description },
  }));

const isAnalysis = (statement: string) => statement === 'analyze (skip_locked) resource';

/** Whether a statement looks for what was staged, compares it with what is there, or locks what changes. */
const isJoin = (statement: string) =>
  /^(insert into|drop table if exists) \S*_(matches|changes)\b/.test(statement) ||
  isHold(statement);
const isHold = (statement: string) =>
  /select 1 from resource r .* no key update\) held$/s.test(statement);

/**
 * Import so many tables, then as many with another description: how the second import compared its keys with the
 * catalog, and how it finds what it locks.
 */
async function fedTwice(catalog: Catalog, count: number) {
  const { admin, workspaceId } = catalog;
  const integration = await catalog.integration();
  const first = await feedStatements(catalog, integration.id, tables(count));
  const again = await feedStatements(catalog, integration.id, tables(count, 'In between.'));
  const compare = first.find((one) => /^create .*plan_known/.test(one));
  const hold = again.find(isHold);
  const plans: string[] = [];
  const explain = async (statement: string | undefined, values: readonly unknown[]) => {
    const lines = await scratch<{ 'QUERY PLAN': string }>(admin, `explain ${statement}`, values);
    plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
  };
  const last = await catalog.counting(() =>
    feedMeanwhile(catalog, integration, tables(count, 'Changed.'), async () => {
      await explain(compare, [workspaceId, integration.id]);
      await explain(hold, [workspaceId, kindNames]);
    }),
  );
  expect(last.value).toMatchObject({ updated: count });
  const [compared = '', held = ''] = plans;
  const analyses = [again, last.statements].flat().filter(isAnalysis).length;
  const hashes = again.filter(
    (one, n) => /set_config\('enable_nestloop', 'off'/.test(one) && isJoin(again[n + 1] ?? ''),
  ).length;
  return { compared, held, analyses, hashes };
}

async function feedStatements(catalog: Catalog, id: string, resources: readonly object[]) {
  const { statements } = await catalog.counting(() => feedJsonl(catalog, { id }, { resources }));
  return statements;
}

/** Each key is looked up, by a hash or in the index. */
const byKey = /(Hash|Index) Cond: [^\n]*databuilder_id/;

test('what a file names without doubles is expected whole when it is compared, and keys are looked up', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { compared, analyses } = await fedTwice(catalog, 250);
  expect(analyses).toBe(0);
  expect(compared).toMatch(byKey);
  // Expected as a few, each of them was compared with all that is there.
  const [, expected] = / rows=(\d+) /.exec(compared) ?? [];
  expect(Number(expected)).toBeGreaterThan(200);
});

test('of many resources figures are made where there are none, once, by who owns them', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { compared, held, analyses, hashes } = await fedTwice(catalog, 600);
  const [role] = await scratch<{ owns: boolean }>(
    catalog.admin,
    "select pg_has_role(relowner, 'usage') as owns from pg_class where oid = 'resource'::regclass",
  );
  if (!role?.owns) {
    expect({ analyses, hashes }).toEqual({ analyses: 0, hashes: 3 });
    return;
  }
  expect({ analyses, hashes }).toEqual({ analyses: 1, hashes: 0 });
  expect(compared).toMatch(byKey);
  expect(held).toMatch(/(Hash|Index|Merge) Cond: [^\n]*\bid\b/);
  expect(held).not.toContain('Join Filter');
});

test('where figures are of an earlier time, what is compared and locked is looked up by a hash', async () => {
  await using first = await openCatalog({ alone: true });
  await feedJsonl(first, await first.integration(), { resources: tables(600) });
  await first.owner.query('analyze resource');
  await using catalog = await first.another();
  const { analyses, hashes } = await fedTwice(catalog, 600);
  expect({ analyses, hashes }).toEqual({ analyses: 0, hashes: 3 });

  const { id } = await catalog.integration();
  await feedStatements(catalog, id, tables(600));
  await first.owner.query('analyze resource');
  const statements = await feedStatements(catalog, id, tables(600, 'Changed.'));
  expect(statements.filter(isHold)).toHaveLength(1);
  expect(statements.filter((one) => one.includes('enable_nestloop'))).toEqual([]);
});
