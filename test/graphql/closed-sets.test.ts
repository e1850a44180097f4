// Closed sets of words: enums for people, text over REST, and nothing else in the database.

import { type GraphQLEnumType, isEnumType } from 'graphql';
import { expect, test } from 'vitest';
import { constraints, setDifferences, wordsOf } from '../../scripts/closed-sets.ts';
import { schema } from '../../src/graphql/schema.ts';
import { markOf } from '../../src/graphql/views/mark.ts';
import { restSchema } from '../../src/graphql/views/rest-schema.ts';
import { openCatalog } from '../catalog.ts';
import { listedWords } from './listed-words.ts';

const closed = Object.values(schema.getTypeMap()).filter(
  (type): type is GraphQLEnumType => isEnumType(type) && markOf(type).textInRest !== undefined,
);

/** Only given or made by the program as it runs, and never stored. */
const neverStored = [
  'AddressOrigin',
  'DescriberRole',
  'ResolveReason',
  'SearchField',
  'SearchMatchedField',
  'SourceCapability',
  'ViewerAction',
  'CoverageGroup',
  'EditedField',
  'ImportAction',
  'IntegrationFeed',
  'UnresolvedReason',
  'OutputOrigin',
  'SqlDiagnosticCode',
  'StatementKind',
];

test('each set is a constraint of the database, never stored, or has a word for all else', () => {
  const open = closed.filter((type) => markOf(type).otherwise !== undefined);
  const stored = new Set(Object.values(constraints).flat());
  const known = [...stored, ...neverStored, ...open.map(({ name }) => name)];
  expect(closed.map(({ name }) => name).sort()).toEqual(known.sort());
});

test('the database holds the words of a set and no others', async () => {
  await using catalog = await openCatalog();
  const differences = await setDifferences(catalog.owner);
  const said = differences.map(
    ({ constraint, missing, extra }) =>
      `${constraint} lacks ${missing.join(', ') || 'nothing'} and has too much: ${extra.join(', ') || 'nothing'}. ` +
      'Write a migration with `npm run db:migration NAME`.',
  );
  expect(said).toEqual([]);
  const { rows } = await catalog.owner.query<{ name: string }>(
    `select conname as name from pg_constraint where conname like '%\\_known' and contype = 'c'`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(constraints).sort());
});

test('what REST says a word may be is what it may be', () => {
  const wrong = listedWords().flatMap(({ where, words, type }) => {
    const missing = wordsOf(type).filter((word) => !words.includes(word));
    const extra = words.filter((word) => !wordsOf(type).includes(word));
    return missing.length + extra.length === 0
      ? []
      : `${where}: "One of ..." lacks ${missing.join(', ') || 'nothing'} of ${type} and has too much: ${extra.join(', ') || 'nothing'}`;
  });
  expect(wrong).toEqual([]);
  expect(listedWords().length).toBeGreaterThan(2);
});

test('a word that only another version knows is `other` to people and itself over REST', async () => {
  await using catalog = await openCatalog();
  await catalog.tag({ name: 'gold' });
  await catalog.owner.query('alter table audit_log disable trigger user');
  await catalog.owner.query(
    `update audit_log set activity_type = 'tag_painted' where activity_type = 'tag_created'`,
  );
  const { data, errors } = await catalog.graphql(
    '{ auditLogs(first: 1) { nodes { activityType } } }',
  );
  expect(errors).toBeUndefined();
  expect(data.auditLogs.nodes).toEqual([{ activityType: 'other' }]);
  const { status, body } = await catalog.rest('GET', '/activity_log/audit_logs/?page_size=1');
  expect(status).toBe(200);
  expect(body.results).toMatchObject([{ activity_type: 'tag_painted' }]);
});

test('a typing error in a word is refused with those that there are', async () => {
  await using catalog = await openCatalog();
  const { data, errors = [] } = await catalog.graphql(
    '{ incidents(status: resolvd) { totalCount } }',
  );
  expect(data).toBeUndefined();
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
  expect(errors[0]?.message).toContain('"resolved"');
});

test('REST says in its own words what a word may be', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.resource();
  const body = { target: id, metric_type: 'rowcount' };
  const answer = await catalog.rest('POST', '/monitor/monitors', { body });
  expect(answer.status).toBe(400);
  expect(answer.body.errors).toMatchObject([
    {
      field: 'metric_type',
      message: expect.stringContaining('"rowcount" is not a metric; use one of'),
    },
  ]);
});

test('REST reads and writes every set as text', () => {
  for (const { name } of closed) {
    const asEnum = restSchema.getType(name);
    // Bodies say how often a monitor runs in one of the words.
    expect([name, asEnum !== undefined]).toEqual([name, name === 'Cadence']);
  }
});
