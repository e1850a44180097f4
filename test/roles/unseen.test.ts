// What one may not see is answered as what there is not: every operation, with the id of the one and the other.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { openCatalog } from '../catalog.ts';
import { sayCounted } from '../gates/counted.ts';
import { operationsOf } from '../rest/openapi/conform.ts';
import { type ActiveKeys, type Asker, askersOf } from './callers.ts';
import { narrowings, requestFor, type Which } from './graphql-requests.ts';
import { restRequestFor } from './rest-requests.ts';
import { tie } from './ties.ts';
import { allThings, isSecret, openPlace, type Place, type Thing, type World } from './world.ts';

let place: Place;
let askers: ActiveKeys;
beforeAll(async () => {
  place = await openPlace(await openCatalog());
  for (const world of [place.hidden, place.shown]) {
    await Promise.all(allThings.map((thing) => world.one(thing)));
  }
  await tie(place);
  askers = await askersOf(place);
}, 60_000);
afterAll(() => place.catalog[Symbol.asyncDispose]());

/** Asks with the ids of what there is, and again with ids that nothing has; both answers alike in form. */
async function bothOf(
  world: World,
  isUnseen: (thing: Thing) => boolean,
  ask: (which: Which) => Promise<string>,
) {
  const ids = new Set<string>();
  const which =
    (pick: Which): Which =>
    async (thing) => {
      if (!isUnseen(thing)) return place.shown.one(thing);
      const id = await pick(thing);
      ids.add(id);
      return id;
    };
  const masked = (text: string) =>
    [...ids]
      .reduce((rest, id) => rest.replaceAll(id, 'ID'), text)
      .replaceAll(/"request_id":"[^"]*"/g, '');
  const unknown = new Map(allThings.map((thing) => [thing, randomUUID()]));
  const seen = masked(await ask(which((thing) => world.one(thing))));
  const not = masked(await ask(which(async (thing) => unknown.get(thing) ?? '')));
  return { asked: ids.size > 0, seen, not };
}

/** Who asks for what: a stranger for all there is, viewers and guests for what is hidden from them. */
function cases(): { asker: Asker; world: World; isUnseen: (thing: Thing) => boolean }[] {
  const { other, byRole } = askers;
  return [
    { asker: other, world: place.shown, isUnseen: () => true },
    { asker: byRole.viewer, world: place.hidden, isUnseen: isSecret },
    { asker: byRole.guest, world: place.hidden, isUnseen: isSecret },
  ];
}

test('GraphQL answers the same for what is unseen and for what is not there', async () => {
  let compared = 0;
  for (const [kind, type] of [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
  ] as const) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      for (const also of [undefined, ...narrowings(field)]) {
        for (const { asker, world, isUnseen } of cases()) {
          const { asked, seen, not } = await bothOf(world, isUnseen, async (which) => {
            const { query, variables } = await requestFor(kind, field, which, 'zzsame', also);
            return JSON.stringify(await place.catalog.graphql(query, variables, asker.caller));
          });
          if (!asked) continue;
          expect(seen, `${field.name}(${also ?? ''}), ${asker.name}`).toBe(not);
          compared += 1;
        }
      }
    }
  }
  expect(compared).toBeGreaterThan(150);
  sayCounted(`${compared} answers of GraphQL to what is unseen, each as to what is not there`);
}, 240_000);

test('REST answers the same for what is unseen and for what is not there', async () => {
  const { document } = await (await place.catalog.app()).rest();
  let compared = 0;
  for (const one of operationsOf(document)) {
    for (const { asker, world, isUnseen } of cases()) {
      const { asked, seen, not } = await bothOf(world, isUnseen, async (which) => {
        const { method, path, body } = await restRequestFor(one, which, 'zzsame');
        const options = { caller: asker.caller, ...(body ? { body } : {}) };
        const { status, text } = await place.catalog.rest(method, path, options);
        return `${status} ${text}`;
      });
      if (!asked) continue;
      expect(seen, `${one.operation.operationId}, ${asker.name}`).toBe(not);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(250);
  sayCounted(`${compared} answers of REST to what is unseen, each as to what is not there`);
}, 240_000);
