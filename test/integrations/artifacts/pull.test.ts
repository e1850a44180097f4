// Artifacts of a project that are pulled from where they lie: once, whole, and with no secret said.

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { acrossWorkspaces } from '../../../src/database/outside.ts';
import { awsSigned } from '../../../src/integrations/http-sources/aws-signature.ts';
import { updateIntegration } from '../../../src/integrations/integration.ts';
import { startDueSyncs } from '../../../src/integrations/syncs/schedule.ts';
import { startFake } from '../connectors/http-fake.ts';
import { bakeryRun } from '../imports/bakery.ts';
import { serviceAccount } from '../warehouses/bigquery-fake.ts';
import { openLivePlace } from '../warehouses/live-place.ts';
import {
  asked,
  awsKey,
  bakeryFiles,
  type FakeRun,
  fileAnswer,
  startPlatform,
  startS3,
} from './store-fake.ts';

const titles = (resources: readonly { titleFull: string | null }[]) =>
  resources.map(({ titleFull }) => titleFull);

const results = (at: string, status: string) =>
  JSON.stringify(bakeryRun(`run of ${at}`, { 'test.bakery.bread_is_known': status }, { at }));

test('a request to S3 is signed as Amazon documents it', () => {
  const key = {
    ...{ accessKeyId: 'AKIAIOSFODNN7EXAMPLE', sessionToken: '', region: 'us-east-1' },
    ...{ secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', service: 's3' },
  };
  const request = { method: 'GET', host: 'examplebucket.s3.amazonaws.com', path: '/test.txt' };
  const at = new Date('2013-05-24T00:00:00Z');
  expect(awsSigned({ ...request, headers: { range: 'bytes=0-9' } }, key, at)).toMatchObject({
    authorization: expect.stringMatching(
      /Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41$/,
    ),
  });
});

test('a project in S3 is read, is not read again while its files are as they were, and whole once one changed', async () => {
  const files = bakeryFiles();
  await using store = await startS3(files, '/our.bucket/dbt project/target/');
  await using place = await openLivePlace('dbt_core', {
    ...{ artifacts: 's3', folder: 's3://our.bucket/dbt project/target', region: awsKey.region },
    ...{ access_key_id: awsKey.accessKeyId, secret_access_key: awsKey.secretAccessKey },
    endpoint: `http://127.0.0.1:${store.port}`,
  });
  const { catalog, integrationId } = place;
  expect(await place.sync()).toMatchObject({ state: 'succeeded' });
  expect(titles(await place.resources('table'))).toContain('bakery.main.daily');
  const columns = await place.resources('column');
  expect(columns.length).toBeGreaterThan(0);

  const before = store.asked.length;
  expect(await place.sync()).toMatchObject({ state: 'succeeded', result: { unchanged: true } });
  expect(store.asked.slice(before).map(({ headers }) => headers['if-none-match'])).toEqual([
    expect.stringMatching(/^"/),
    expect.stringMatching(/^"/),
    undefined,
    undefined,
  ]);
  expect(await place.resources('column')).toEqual(columns);

  const manifest = JSON.parse(files['manifest.json'] ?? '');
  manifest.nodes['model.bakery.daily'].alias = 'weekly';
  files['manifest.json'] = JSON.stringify(manifest);
  expect(await place.sync()).toMatchObject({ state: 'succeeded' });
  expect(titles(await place.resources('table'))).toContain('bakery.main.weekly');
  // The catalog did not change, and names the columns of the manifest all the same.
  expect((await place.resources('column')).filter(({ stale }) => stale)).toEqual([]);

  const secret = 'wrong-secret-of-the-key';
  const credentials = {
    ...{ artifacts: 's3', folder: 'our.bucket/dbt project/target', region: awsKey.region },
    ...{ access_key_id: awsKey.accessKeyId, secret_access_key: secret },
    endpoint: `http://127.0.0.1:${store.port}`,
  };
  await updateIntegration(catalog.admin, integrationId, { credentials });
  const failed = await place.sync();
  expect(failed).toMatchObject({
    state: 'failed',
    lastError: expect.stringMatching(/no permission to read/),
  });
  expect(JSON.stringify(failed)).not.toContain(secret);
}, 60_000);

test('a project on the web is read with a query and a header, packed, and once more where the connection broke', async () => {
  const files = bakeryFiles();
  let broken = 0;
  await using store = await startFake((one) => {
    const isAllowed = one.headers.authorization === 'Bearer the-token-of-the-web';
    if (!isAllowed || one.url.search !== '?job=docs&sig=a%2Fb') return { status: 403 };
    const name = one.url.pathname.replace('/raw/target/', '');
    const answer = fileAnswer(files, name, one);
    if (name !== 'manifest.json' || typeof answer.body !== 'string') return answer;
    const body = gzipSync(answer.body);
    broken += 1;
    return broken === 1 ? { ...answer, body, cutAfter: 100 } : { ...answer, body };
  });
  await using place = await openLivePlace('dbt_core', {
    artifacts: 'https',
    address: `http://127.0.0.1:${store.port}/raw/target/{file}?job=docs&sig=a%2Fb`,
    authorization: 'Bearer the-token-of-the-web',
  });
  const report = `mutation ($id: ID!) { testConnection(integrationId: $id) {
    ok checks { name state message } } }`;
  const { data } = await place.catalog.graphql(report, { id: place.integrationId });
  expect(data.testConnection).toEqual({
    ok: true,
    checks: [{ name: 'artifacts', state: 'ok', message: 'Found manifest.json, catalog.json.' }],
  });
  broken = 0;
  expect(await place.sync()).toMatchObject({ state: 'succeeded' });
  expect(broken).toBeGreaterThan(1);
  expect(titles(await place.resources('table'))).toContain('bakery.main.daily');
}, 60_000);

test('a project in Google Cloud Storage and one in Azure are read with tokens, which are made once', async () => {
  const files = bakeryFiles();
  let minted = 0;
  await using store = await startFake((one) => {
    const { pathname, search } = one.url;
    if (pathname === '/token' || pathname === '/our-tenant/oauth2/v2.0/token') {
      minted += 1;
      const form = new URLSearchParams(one.body);
      const isAzure = pathname !== '/token';
      const isKnown = form.get('client_secret') === 'the-client-secret';
      if (isAzure && !isKnown) return { status: 401, body: { error: 'invalid_client' } };
      return { body: { access_token: `minted-${pathname}`, expires_in: 3_599 } };
    }
    const [, google] = /^\/storage\/v1\/b\/our-bucket\/o\/(.+)$/.exec(pathname) ?? [];
    const name = google ? decodeURIComponent(google) : pathname.slice(1);
    const token = google ? '/token' : '/our-tenant/oauth2/v2.0/token';
    if (one.headers.authorization !== `Bearer minted-${token}`) return { status: 401 };
    if (google ? search !== '?alt=media' : !one.headers['x-ms-version']) return { status: 400 };
    return fileAnswer(files, name.replace('dbt/target/', ''), one);
  });
  const endpoint = `http://127.0.0.1:${store.port}`;
  for (const login of [
    {
      ...{ artifacts: 'gcs', folder: 'gs://our-bucket/dbt/target', endpoint },
      service_account: serviceAccount('127.0.0.1', store.port),
    },
    {
      ...{ artifacts: 'azure', address: `${endpoint}/dbt/target`, endpoint },
      ...{ tenant_id: 'our-tenant', client_id: 'us', client_secret: 'the-client-secret' },
    },
  ]) {
    minted = 0;
    await using place = await openLivePlace('dbt_core', login);
    expect(await place.sync()).toMatchObject({ state: 'succeeded' });
    expect(minted).toBe(1);
    expect(titles(await place.resources('table'))).toContain('bakery.main.daily');
  }
}, 60_000);

test('each run of a job of the dbt platform is read once: its last manifest, and the results of each step', async () => {
  const runs: FakeRun[] = [
    {
      ...{ id: 11, status: 10, finished_at: '2026-03-01 10:00:00.123456+00:00' },
      steps: [
        { ...bakeryFiles(), 'run_results.json': results('2026-03-01T10:00:00Z', 'pass') },
        {
          ...bakeryFiles(),
          'run_results.json': JSON.stringify(bakeryRun('docs', {}, { which: 'generate' })),
        },
      ],
    },
  ];
  await using platform = await startPlatform(runs);
  await using place = await openLivePlace('dbt_core', {
    ...{ artifacts: 'platform', host: 'ab123.us1.dbt.com', account_id: '5', job_id: '7' },
    ...{ token: 'dbtc_the-token', endpoint: `http://127.0.0.1:${platform.port}` },
  });
  const { prisma } = place.catalog.database;
  const states = async () => {
    const found = await prisma.runResult.findMany({ orderBy: { completedAt: 'asc' } });
    return found.map(({ status }) => status);
  };
  expect(await place.sync()).toMatchObject({ state: 'succeeded' });
  expect(titles(await place.resources('table'))).toContain('bakery.main.daily');
  expect(await states()).toEqual(['pass']);

  const before = platform.asked.length;
  expect(await place.sync()).toMatchObject({ state: 'succeeded', result: { unchanged: true } });
  expect(asked(platform).slice(before)).toEqual(['', '']);

  // A run whose artifacts are still on their way is waited for, and hides none that ended after it.
  const late = new Date().toISOString();
  const later = {
    ...{ id: 12, status: 20, finished_at: late, artifacts_saved: false },
    steps: [{ 'run_results.json': results('2026-03-02T10:00:00Z', 'fail') }],
  };
  runs.push(later);
  expect(await place.sync()).toMatchObject({ result: { unchanged: true } });
  runs.splice(1, 1, { ...later, artifacts_saved: true });
  expect(await place.sync()).toMatchObject({ state: 'succeeded' });
  expect(await states()).toEqual(['pass', 'fail']);
}, 60_000);

test('a place in a private network, a folder that is empty and credentials that lack something are said to be that', async () => {
  await using store = await startFake(() => ({ status: 404 }));
  const address = `http://127.0.0.1:${store.port}`;
  await using place = await openLivePlace('dbt_core', { artifacts: 'https', address });
  const { catalog, integrationId } = place;
  expect(await place.sync()).toMatchObject({
    state: 'failed',
    lastError: expect.stringMatching(/holds none of manifest\.json, catalog\.json/),
  });
  const test = (credentials: object) =>
    catalog.graphql(
      `mutation ($id: ID!, $with: JSON) { testConnection(integrationId: $id, credentials: $with) {
        ok checks { message } } }`,
      { id: integrationId, with: credentials },
    );
  const { data } = await test({ artifacts: 'https', address: 'https://10.1.2.3/target' });
  expect(data.testConnection).toEqual({
    ok: false,
    checks: [{ message: expect.stringMatching(/ALLOW_PRIVATE_HOSTS/) }],
  });
  for (const [credentials, field] of [
    [{ artifacts: 's3', region: 'eu-central-1' }, 'credentials.folder'],
    [{ artifacts: 'https', address: 'ftp://files' }, 'credentials.address'],
    [{ artifacts: 'gcs', folder: 'b', service_account: '{}' }, 'credentials.service'],
    [{ artifacts: 'ftp' }, 'credentials.artifacts'],
  ] as const) {
    const { errors } = await test(credentials);
    expect(JSON.stringify(errors), field).toContain(field);
    expect(errors?.[0]?.extensions?.code).toBe('BAD_REQUEST');
  }
}, 60_000);

test('a project is synced by its schedule once it says where its artifacts lie', async () => {
  await using place = await openLivePlace('dbt_core', {});
  const { catalog, integrationId } = place;
  const { prisma } = catalog.database;
  const next = async () =>
    (await prisma.integration.findFirst({ where: { id: integrationId } }))
      ?.scheduledExtractionsNextRun;
  await updateIntegration(catalog.admin, integrationId, { scheduledExtractionsFrequency: 6 });
  expect(await next()).toBeNull();
  await using store = await startFake((one) =>
    fileAnswer(bakeryFiles(), one.url.pathname.slice(1), one),
  );
  const credentials = { artifacts: 'https', address: `http://127.0.0.1:${store.port}` };
  await updateIntegration(catalog.admin, integrationId, { credentials });
  expect(await next()).toBeInstanceOf(Date);
  await prisma.integration.updateMany({
    data: { scheduledExtractionsNextRun: new Date('2024-01-01T03:00:00Z') },
  });
  await startDueSyncs(acrossWorkspaces(catalog.database));
  await expect
    .poll(async () => titles(await place.resources('table')), { timeout: 30_000 })
    .toContain('bakery.main.daily');
}, 60_000);
