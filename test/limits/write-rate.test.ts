// How many writes a key may make in a minute: on both APIs and all processes together.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createWriteRate } from '../../src/limits/write-rate.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { startBeside } from './beside.ts';
import { clientsOf, type Reply, send } from './client.ts';

const perMinute = 10;
const settings = { RATE_LIMIT_WRITES_PER_MINUTE: String(perMinute) };

/** Wait for the next minute of the database, where this one is nearly over. */
async function earlyInMinute({ database }: Catalog): Promise<void> {
  await database.prisma.$queryRaw`select pg_sleep(case when extract(second from now()) > 40
    then 60.1 - extract(second from now()) else 0 end)::text`;
}

const tag = (n: number | string) => `mutation { createTag(input: { name: "${n}" }) { id } }`;

const restOf = ({ headers }: Reply) =>
  /^"writes";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1];

test('both APIs count together, and say what is left', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { admin, editor, origin } = await clientsOf(catalog, settings);
  await earlyInMinute(catalog);
  for (let n = 0; n < perMinute; n += 2) {
    const graphql = await admin.graphql(tag(n));
    const rest = await admin.rest('POST', '/tag/tags', { name: `${n + 1}` });
    expect([graphql.status, rest.status]).toEqual([200, 201]);
    expect([restOf(graphql), restOf(rest)]).toEqual([
      `${perMinute - n - 1}`,
      `${perMinute - n - 2}`,
    ]);
    for (const { headers } of [graphql, rest]) {
      expect(headers.get('ratelimit-policy')).toBe(`"writes";q=${perMinute};w=60`);
    }
  }
  // However the header is spelled: it is the key that counts.
  const refusals = [await admin.graphql(tag('over'))];
  for (const scheme of ['Bearer ', 'bearer ', 'BEARER ', 'Bearer   ']) {
    const authorization = scheme + catalog.keyOf('admin');
    const body = { name: 'over' };
    refusals.push(await send(`${origin}/api/v1/tag/tags`, { authorization, body }));
  }
  for (const refusal of refusals) {
    expect([refusal.status, refusal.code]).toEqual([429, 'TOO_MANY_REQUESTS']);
    const seconds = Number(refusal.headers.get('retry-after'));
    expect(seconds > 0 && seconds <= 60).toBe(true);
    expect(restOf(refusal)).toBe('0');
  }
  expect(await catalog.database.prisma.tag.count()).toBe(perMinute);
  // Reads are not writes, and another key is another key.
  expect((await admin.rest('GET', '/tag')).status).toBe(200);
  expect((await admin.graphql('{ tags { totalCount } }')).body.data.tags.totalCount).toBe(
    perMinute,
  );
  expect((await editor.graphql(tag('of the editor'))).status).toBe(200);
});

test('two keys of one person are counted by themselves', async () => {
  await using catalog = await openCatalog();
  const rate = createWriteRate(catalog.database, {
    ...{ writesPerMinute: perMinute, bytesPerDay: 0 },
    ofMembers: { writesPerMinute: 0, bytesPerDay: 0 },
  });
  const { viewer } = catalog.admin;
  const count = (keyId: string, writes: number) => rate.count({ ...viewer, keyId }, writes);
  const [one, other] = [randomUUID(), randomUUID()];
  expect((await count(one, perMinute + 1))?.refusal).not.toBeNull();
  expect((await count(other, perMinute))?.refusal).toBeNull();
});

test('each field of a mutation is a write, in fragments as well, and none is made in part', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { admin } = await clientsOf(catalog, settings);
  await earlyInMinute(catalog);
  const field = (n: number) => `t${n}: createTag(input: { name: "${n}" }) { id }`;
  const eight = `mutation { ${[0, 1, 2].map(field).join(' ')} ...More ... on Mutation { ${[3, 4]
    .map(field)
    .join(' ')} } } fragment More on Mutation { ${[5, 6, 7].map(field).join(' ')} }`;
  const made = await admin.graphql(eight);
  expect([made.status, restOf(made)]).toEqual([200, '2']);
  const tooMany = await admin.graphql(`mutation { ${[10, 11, 12].map(field).join(' ')} }`);
  expect(tooMany.code).toBe('TOO_MANY_REQUESTS');
  expect(await catalog.database.prisma.tag.count()).toBe(8);
  // What is left can still be used.
  expect(
    (await admin.graphql(`mutation { ${[20, 21].map(field).join(' ')} }`)).code,
  ).toBeUndefined();
  expect((await admin.graphql(tag('over'))).code).toBe('TOO_MANY_REQUESTS');
});

test('what a mutation names twice is one write, however often its fragments spread each other', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { admin } = await clientsOf(catalog, settings);
  await earlyInMinute(catalog);
  const same = 'createTag(input: { name: "once" }) { id }';
  const made = await admin.graphql(
    `mutation { ${same} ...A ...A } fragment A on Mutation { ${same} ...B ...B }
      fragment B on Mutation { ${same} other: createTag(input: { name: "other" }) { id } }`,
  );
  expect([made.status, made.code, restOf(made)]).toEqual([200, undefined, `${perMinute - 2}`]);
  expect(await catalog.database.prisma.tag.count()).toBe(2);
});

test('two processes count together, also when all come at once', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { origin } = await clientsOf(catalog, settings);
  await using beside = await startBeside(catalog, settings);
  await earlyInMinute(catalog);
  const authorization = `Bearer ${catalog.keyOf('admin')}`;
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, n) => {
      const base = n % 2 === 0 ? origin : beside.origin;
      return n % 4 < 2
        ? send(`${base}/graphql`, { authorization, body: { query: tag(n) } })
        : send(`${base}/api/v1/tag/tags`, { authorization, body: { name: `${n}` } });
    }),
  );
  const made = replies.filter(({ code }) => code === undefined);
  expect(made).toHaveLength(perMinute);
  expect(await catalog.database.prisma.tag.count()).toBe(perMinute);
  for (const { code, status } of replies.filter((reply) => !made.includes(reply))) {
    expect([code, status]).toEqual(['TOO_MANY_REQUESTS', 429]);
  }
});

test('unless it is set, writes are neither counted nor spoken of', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { admin } = await clientsOf(catalog, {});
  const replies = [
    await admin.graphql(tag(1)),
    await admin.rest('POST', '/tag/tags', { name: '2' }),
  ];
  for (const { headers, code } of replies) {
    expect([code, headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([
      undefined,
      null,
      null,
    ]);
  }
  const counts = await catalog.database.prisma.$queryRaw`select 1 from write_count`;
  expect(counts).toEqual([]);
});
