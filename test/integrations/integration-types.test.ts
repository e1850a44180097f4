// The types of integrations: one table, which GraphQL, forms, connectors and documents agree with.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { connectors } from '../../src/integrations/connectors/open.ts';
import { integrationTypes } from '../../src/integrations/integration-type.ts';
import { findDialect } from '../../src/lineage/sql/dialect.ts';
import { parsePrivateHosts } from '../../src/network/address.ts';
import { openCatalog } from '../catalog.ts';
import { serviceAccount } from './warehouses/bigquery-fake.ts';
import { privateKey } from './warehouses/snowflake-fake.ts';

const folder = 'src/integrations/connectors';
/** What cannot be any text. */
const given: Readonly<Record<string, string>> = {
  private_key: privateKey,
  project: 'some-project',
  url: 'https://some.thing',
  warehouse_id: 'w1',
  service_account: serviceAccount('oauth2.googleapis.com', 443),
};

const source = {
  id: 'form',
  reach: { privateHosts: parsePrivateHosts(''), filesDir: '/nowhere' },
};

test('anybody asks which types there are, what feeds them and which credentials they take', async () => {
  await using catalog = await openCatalog();
  const { data, errors } = await catalog.graphql(
    `{ integrationTypes { name label fedBy
        isBeta capabilities page fields { name label help isRequired isSecret isMultiline when { field values }
          choices { value label } } } }`,
    {},
    { as: 'viewer' },
  );
  expect(errors).toBeUndefined();
  expect(data.integrationTypes.map(({ name }: { name: string }) => name)).toEqual(
    integrationTypes.map(({ name }) => name),
  );
  const free = {
    ...{ help: null, isRequired: false, isSecret: false, isMultiline: false },
    ...{ when: [], choices: [] },
  };
  expect(data.integrationTypes).toContainEqual({
    ...{ name: 'trino', label: 'Trino', fedBy: 'sync', isBeta: false, page: 'trino' },
    capabilities: ['views', 'history', 'measure', 'freshness'],
    fields: [
      { ...free, name: 'host', label: 'Host', isRequired: true },
      { ...free, name: 'port', label: 'Port', help: 'Leave empty for 8080.' },
      {
        ...{ ...free, name: 'catalog', label: 'Catalog', isRequired: true },
        help: 'A name, several with commas between them, or a pattern: * for all that the login sees.',
      },
      { ...free, name: 'schema', label: 'Schema', help: 'Where names without a schema lie.' },
      { ...free, name: 'user', label: 'User', isRequired: true },
      { ...free, name: 'password', label: 'Password', isSecret: true },
      {
        ...{ ...free, name: 'include', label: 'Included schemas' },
        help: 'Such as public or staging_*, separated by commas. Leave empty for all.',
      },
      {
        ...{ ...free, name: 'exclude', label: 'Excluded schemas' },
        help: 'In the same format. Leave empty for none.',
      },
      {
        ...{ ...free, name: 'ssl', label: 'Encryption' },
        choices: [
          { value: 'auto', label: 'Verify certificate and host, except in private networks' },
          { value: 'prefer', label: 'If the server offers it' },
          { value: 'require', label: 'Always' },
          { value: 'verify-ca', label: 'Verify certificate' },
          { value: 'verify-full', label: 'Verify certificate and host' },
          { value: 'disable', label: 'Never' },
        ],
      },
      {
        ...{ ...free, name: 'ca', label: 'CA certificate (PEM)', isMultiline: true },
        help: 'Needed if a private authority signed the certificate of the host.',
      },
    ],
  });
  // A project says where its artifacts lie.
  const ofArtifacts = ['artifacts', 'address', 'folder', 'job_id'].map((name) =>
    expect.objectContaining({ name }),
  );
  expect(data.integrationTypes.filter(({ fedBy }: { fedBy: string }) => fedBy !== 'sync')).toEqual(
    [
      ['sqlserver', 'SQL Server', 'files'],
      ['oracle', 'Oracle', 'files'],
      ['custom', 'Files', 'files'],
      ['dbt_core', 'dbt project', 'artifacts'],
      ['openlineage', 'OpenLineage', 'nothing'],
      ['chat', 'Chat', 'nothing'],
    ].map(([name, label, fedBy]) => ({
      name,
      label,
      fedBy,
      ...{ isBeta: false, capabilities: [], page: null },
      fields: name === 'dbt_core' ? expect.arrayContaining(ofArtifacts) : [],
    })),
  );
});

test('an integration says what its type is called, also where this server does not know it', async () => {
  await using catalog = await openCatalog();
  const make = `mutation ($type: String!) { createIntegration(type: $type, input: { name: "A" }) { typeLabel } }`;
  for (const [type, label] of [
    ['postgresql', 'PostgreSQL'],
    ['looker_studio', 'looker studio'],
  ]) {
    const { data } = await catalog.graphql(make, { type });
    expect(data.createIntegration.typeLabel).toBe(label);
  }
});

test.each(integrationTypes.filter(({ fedBy }) => fedBy === 'sync'))(
  '$label opens with the fields that its form requires, and names the one that is missing',
  async ({ name, fields }) => {
    const usual = (name: string) => fields.find((one) => one.name === name)?.choices[0]?.value;
    const required = fields
      .filter(({ isRequired }) => isRequired)
      .filter(({ when }) => when.every(({ field, values }) => values.includes(usual(field) ?? '')))
      .map((field) => field.name);
    expect(required.length).toBeGreaterThan(0);
    const credentials = Object.fromEntries(
      required.map((field) => [field, given[field] ?? 'some.thing']),
    );
    const connector = await connectors[name]?.open(source, credentials);
    await connector?.close();
    for (const missing of required) {
      const opening = connectors[name]?.open(source, { ...credentials, [missing]: undefined });
      await expect(opening, missing).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        fields: [expect.objectContaining({ field: `credentials.${missing}` })],
      });
    }
  },
);

test('each folder of a connector is in the table, and each type of the table is in the documentation', async () => {
  const table = Object.values(connectors).map(({ label }) => label);
  const folders = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory());
  expect(folders.length).toBeGreaterThan(4);
  const absent: string[] = [];
  for (const { name } of folders) {
    const text = readFileSync(`${folder}/${name}/manifest.ts`, 'utf8');
    for (const [, label = ''] of text.matchAll(/^ {2}label: '(.+?)'/gm)) {
      if (!table.includes(label))
        absent.push(`${label}: no line of connectors in ${folder}/open.ts`);
    }
  }
  const page = readFileSync('docs/sources/README.md', 'utf8');
  for (const { label } of Object.values(connectors)) {
    if (!page.includes(label)) absent.push(`${label}: docs/sources/README.md does not name it`);
  }
  expect(absent).toEqual([]);
});

test('the dialect of a type that connects is the one that its name finds', () => {
  for (const [name, { dialect }] of Object.entries(connectors)) {
    expect([name, findDialect(name)?.name ?? null]).toEqual([name, dialect]);
  }
});
