// Several mutations in one request: one that fails takes nothing from the others. And what answers say they cost.

import { isNonNullType } from 'graphql';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { schema } from '../../../src/graphql/schema.ts';
import { openCatalog } from '../../catalog.ts';

test('each mutation may be null', () => {
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {});
  expect(fields.length).toBeGreaterThan(50);
  expect(fields.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual([]);
});

test('a mutation that fails leaves what the others did, and what they answered', async () => {
  await using catalog = await openCatalog();
  const { data, errors } = await catalog.graphql(`mutation {
    a: createTag(input: { name: "p" }) { id name }
    b: createTag(input: { name: "p" }) { id }
    c: createTag(input: { name: "q" }) { id name }
  }`);
  expect(data).toMatchObject({ a: { name: 'p' }, b: null, c: { name: 'q' } });
  expect(errors).toMatchObject([{ path: ['b'], extensions: { code: 'CONFLICT' } }]);
  const { data: read } = await catalog.graphql('{ tags { nodes { id name } } }');
  const ids = read.tags.nodes.map(({ id }: { id: string }) => id);
  expect(ids).toEqual(expect.arrayContaining([data.a.id, data.c.id]));
});

test('an answer says its cost where it is asked to, and not otherwise', async () => {
  await using catalog = await openCatalog();
  const base = await catalog.listen();
  const ask = async (extensions?: object) => {
    const response = await fetch(`${base}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${catalog.keyOf('admin')}`,
      },
      body: JSON.stringify({ query: '{ tags(first: 10) { nodes { id name } } }', extensions }),
    });
    return z
      .object({ extensions: z.object({ cost: z.number() }).optional() })
      .parse(await response.json());
  };
  expect(await ask({ cost: true })).toEqual({ extensions: { cost: 22 } });
  expect(await ask()).toEqual({});
});

test('a list of a hundred tables with their columns, owners and tags is within what one may cost', async () => {
  await using catalog = await openCatalog();
  const { errors } = await catalog.graphql(`{
    resources(first: 100, where: { kind: { eq: table } }) {
      nodes {
        id title titleFull description verified owners { id name } tags { id name } teams { id name }
        ... on Table {
          columns { id title type description pii isPk owners { id name } tags { id name } openIncidents { id severity } }
        }
      }
    }
  }`);
  expect(errors).toBeUndefined();
});
