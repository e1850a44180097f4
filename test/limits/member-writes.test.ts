// What one person may write, and what programs may upload: what happens at the bound, and after it.

import { expect, test } from 'vitest';
import { createUploadRate } from '../../src/limits/upload-rate.ts';
import { openCatalog } from '../catalog.ts';
import { startBeside } from './beside.ts';
import { clientOf, clientsOf } from './client.ts';

const ask = (title: string) => `mutation { createQuestion(input: { title: "${title}" }) { id } }`;
const long = 'x'.repeat(3_000);

test('a viewer writes so many bytes a day on all processes, an admin any number', async () => {
  await using catalog = await openCatalog({ alone: true });
  const settings = { MEMBER_WRITE_BYTES_PER_DAY: '10000' };
  const { origin, admin } = await clientsOf(catalog, settings);
  await using beside = await startBeside(catalog, settings);
  const [viewer, elsewhere] = [origin, beside.origin].map((one) =>
    clientOf(one, catalog.keyOf('viewer')),
  );
  const replies = [
    await viewer?.graphql(ask(`1 ${long}`.slice(0, 900)), { unused: long }),
    await elsewhere?.rest('POST', '/question/questions', { title: '2', definition: long }),
    await viewer?.graphql(ask('3'), { unused: 'x'.repeat(3_500) }),
  ];
  expect(replies.map((reply) => reply?.status)).toEqual([200, 201, 429]);
  const over = await elsewhere?.rest('POST', '/question/questions', {
    title: '4',
    definition: long,
  });
  for (const reply of [replies[2], over]) {
    expect(reply?.code).toBe('TOO_MANY_REQUESTS');
    const seconds = Number(reply?.headers.get('retry-after'));
    expect(seconds > 0 && seconds <= 86_400).toBe(true);
  }
  expect(JSON.stringify(over?.body)).toContain('You may write 10000 bytes a day');
  // Nothing of what was refused is there, what is small still fits, and reading is no writing.
  expect(await catalog.database.prisma.resource.count({ where: { kind: 'question' } })).toBe(2);
  expect((await viewer?.graphql(ask('5')))?.code).toBeUndefined();
  expect((await viewer?.graphql('{ tags { totalCount } }', { unused: long }))?.status).toBe(200);
  for (let n = 0; n < 5; n += 1) {
    expect((await admin.graphql(ask(`admin ${n}`), { unused: long })).code).toBeUndefined();
  }
  // The next day begins with nothing.
  await catalog.owner.query("update write_count set day = day - interval '1 day'");
  expect((await viewer?.graphql(ask('6'), { unused: long }))?.code).toBeUndefined();
});

test('everyone is bounded where that is set, and a person by the lower of two bounds', async () => {
  await using catalog = await openCatalog({ alone: true });
  const settings = {
    ...{ WRITE_BYTES_PER_DAY: '4000', MEMBER_WRITE_BYTES_PER_DAY: '9000' },
    MEMBER_WRITES_PER_MINUTE: '0',
  };
  const { admin, viewer } = await clientsOf(catalog, settings);
  for (const client of [admin, viewer]) {
    expect((await client.graphql(ask('one'), { unused: long })).code).toBeUndefined();
    expect((await client.graphql(ask('two'), { unused: long })).code).toBe('TOO_MANY_REQUESTS');
  }
});

test('viewers and guests have a bound of writes by default, which says what is left', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { origin, admin, viewer } = await clientsOf(catalog, {
    // An empty value counts as absent.
    MEMBER_WRITES_PER_MINUTE: '',
  });
  const guest = clientOf(origin, catalog.keyOf('guest'));
  for (const client of [viewer, guest]) {
    const { headers } = await client.graphql(ask('one'));
    expect(headers.get('ratelimit-policy')).toBe('"writes";q=120;w=60');
  }
  expect((await admin.graphql(ask('one'))).headers.has('ratelimit-policy')).toBe(false);
});

test('at its bound a viewer is refused until the minute is over, and then goes on', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { viewer } = await clientsOf(catalog, { MEMBER_WRITES_PER_MINUTE: '2' });
  await catalog.database.prisma.$queryRaw`select pg_sleep(case when extract(second from now()) > 50
    then 60.1 - extract(second from now()) else 0 end)::text`;
  const codes = [];
  for (const n of [1, 2, 3]) codes.push((await viewer.graphql(ask(`${n}`))).code);
  expect(codes).toEqual([undefined, undefined, 'TOO_MANY_REQUESTS']);
  expect(await catalog.database.prisma.resource.count({ where: { kind: 'question' } })).toBe(2);
});

test('uploads are no writes of a person: one too many is 503, and comes later', async () => {
  await using catalog = await openCatalog({ alone: true });
  const settings = { UPLOADS_PER_MINUTE: '2', RATE_LIMIT_WRITES_PER_MINUTE: '1' };
  const { origin } = await clientsOf(catalog, settings);
  const { id } = await catalog.integration({ type: 'custom' });
  const upload = () => {
    const body = new FormData();
    const line = '{"entity_type":"dashboard","databuilder_id":"a","title":"a"}';
    body.set('resources_file', new Blob([line]), 'resources.jsonl');
    return fetch(`${origin}/api/v1/integration/integrations/${id}/import_jsonl_metadata`, {
      ...{ method: 'POST', body },
      headers: { authorization: `Bearer ${catalog.keyOf('admin')}` },
    });
  };
  const answers = [await upload(), await upload(), await upload()];
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 503]);
  const seconds = Number(answers[2]?.headers.get('retry-after'));
  expect(seconds > 2 && seconds <= 60).toBe(true);
  expect(await answers[2]?.json()).toMatchObject({
    ...{
      code: 'UNAVAILABLE',
      detail: expect.stringContaining('A key may upload 2 times a minute'),
    },
  });
});

test('uploads of a key are counted by themselves, in minutes that begin with its first', () => {
  let at = 0;
  const rate = createUploadRate(2, () => at);
  rate.count('one');
  at = 59_000;
  rate.count('one');
  expect(() => rate.count('one')).toThrow('try again in 1 s');
  rate.count('other');
  at = 60_000;
  rate.count('one');
  const any = createUploadRate(0);
  for (let n = 0; n < 100; n += 1) any.count('one');
});
