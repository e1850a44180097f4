// Random histories of a catalog: whatever each integration does, its end does not depend on who comes first.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openCatalog } from '../../../catalog.ts';
import { look, type Seen } from './look.ts';
import { csv, deleted, jsonl, makeIntegrations, project, type Step } from './steps.ts';

/** Histories that are tried: each is three or four imports on two databases. */
const histories = process.env.NIGHTLY === '1' ? 2_000 : 40;

const names = ['core', 'mart', 'orders'] as const;
const some = fc.subarray([...names]);

interface Doing {
  readonly says: string;
  readonly step: Step;
}

const doing = (says: string, step: Step): Doing => ({ says, step });
const paths = (list: readonly string[]) => list.map((name) => `wh.core.${name}`);

/** What a kind of integration may do in one step; the last may be that it goes. */
const sorts = {
  dbt_core: (who: string) =>
    fc.tuple(some, some).map(([models, sources]) =>
      doing(
        `makes ${models.join()}, reads ${sources.join()}`,
        project(who, {
          models: models.map((name) => ({ name, description: `${name}, says ${who}` })),
          sources: sources
            .filter((name) => !models.includes(name))
            .map((name) => ({ name, description: `${name}, reads ${who}` })),
        }),
      ),
    ),
  custom: () => some.map((list) => doing(`has ${list.join()}`, csv(...paths(list)))),
  lines: () =>
    fc
      .tuple(some, fc.constantFrom('', 'k-'))
      .map(([list, prefix]) =>
        doing(
          `names ${list.map((name) => prefix + name).join()}`,
          jsonl(...list.map((name) => `${prefix}${name}=wh.core.${name}`)),
        ),
      ),
};

const actor = (name: string, type: keyof typeof sorts) =>
  fc
    .tuple(
      fc.array(sorts[type](name.toLowerCase()), { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 0, max: 4 }),
    )
    .map(([steps, end]) => ({
      ...{ name, type: type === 'lines' ? 'custom' : type },
      steps: end === 0 ? [...steps, doing('is deleted', deleted)] : steps,
    }));

const history = fc.tuple(
  actor('A', 'dbt_core'),
  actor('B', 'dbt_core'),
  fc.constantFrom('custom' as const, 'lines' as const).chain((type) => actor('W', type)),
  fc.infiniteStream(fc.nat()),
  fc.infiniteStream(fc.nat()),
);

type Actor = { name: string; type: string; steps: readonly Doing[] };

/** Let the actors go in an order that a stream of numbers says, each keeping its own. */
function orderOf(actors: readonly Actor[], random: Iterator<number>) {
  const left = actors.map(({ steps }) => [...steps]);
  const order: { at: number; doing: Doing }[] = [];
  for (;;) {
    const open = left.flatMap((steps, at) => (steps.length > 0 ? [at] : []));
    const at = open[(random.next().value ?? 0) % open.length];
    const next = at === undefined ? undefined : left[at]?.shift();
    if (at === undefined || !next) return order;
    order.push({ at, doing: next });
  }
}

async function play(actors: readonly Actor[], order: ReturnType<typeof orderOf>) {
  const catalog = await (await openCatalog()).another();
  const ids = await makeIntegrations(catalog, actors);
  // Where the files lie that the projects write to is said beforehand, as people confirm it.
  await catalog.owner.query(
    `insert into integration_address (workspace_id, integration_id, database, address, origin)
      select $1, unnest($2::uuid[]), 'wh', 'integration:' || $3, 'set'`,
    [catalog.workspaceId, [ids.get('A'), ids.get('B')], ids.get('W')],
  );
  const said: string[] = [];
  for (const { at, doing } of order) {
    const name = actors[at]?.name ?? '';
    said.push(`${name} ${doing.says}`);
    await doing.step({ catalog, ids }, ids.get(name) ?? '');
  }
  const end: Seen = await look(catalog, ids);
  return { said, end };
}

test('every history ends the same in two orders', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ([a, b, w, one, other]) => {
      const actors = [a, b, w];
      const first = await play(actors, orderOf(actors, one));
      const second = await play(actors, orderOf(actors, other));
      expect({ after: second.said, end: second.end.all.split('\n') }).toEqual({
        ...{ after: second.said, end: first.end.all.split('\n') },
      });
    }),
    { numRuns: histories, seed: 20261126, endOnFailure: true },
  );
}, 3_600_000);
