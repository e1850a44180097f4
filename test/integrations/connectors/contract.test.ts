// What holds for every connector: its form, its page, and what it says that it can.

import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { capabilities } from '../../../src/integrations/connectors/manifest.ts';
import {
  checkCredentialNames,
  connectors,
  typesWithDriver,
} from '../../../src/integrations/connectors/open.ts';
import { formOf, shownNames } from '../../../src/integrations/connectors/read-fields.ts';
import { askForLastChange } from '../../../src/monitors/scans/last-change.ts';
import { sourceDialect } from '../../../src/monitors/scans/source-dialect.ts';
import { scrubberOf } from '../../../src/secrets/redaction.ts';
import { exampleFor } from './examples.ts';
import { startFake } from './http-fake.ts';
import { loopback } from './read-source.ts';

const secret = 'canary-of-the-contract';
const index = readFileSync('docs/sources/README.md', 'utf8');
const reach = { ...loopback, filesDir: '/nowhere' };

describe.each(typesWithDriver)('%s', (type) => {
  const manifest = connectors[type];
  if (!manifest) throw new Error(type);
  const form = formOf(manifest.credentials);

  test('its form names each field once, explains its secrets, and asks by fields that it has', () => {
    expect(Object.keys(manifest.credentials.shape)).toEqual(form.map(({ name }) => name));
    expect(new Set(form.map(({ label }) => label)).size).toBe(form.length);
    for (const { name, help, isSecret, when } of form) {
      if (isSecret && name !== 'password') expect(help, name).not.toBeNull();
      for (const { field, values } of when) {
        const choices = form.find((one) => one.name === field)?.choices.map(({ value }) => value);
        expect(choices, `${name} when ${field}`).toEqual(expect.arrayContaining([...values]));
      }
    }
  });

  test('its page is there and names each field, and the index has its line', () => {
    const { label, page } = manifest;
    expect(page).not.toBeNull();
    expect(existsSync(`docs/sources/${page}`), `docs/sources/${page}`).toBe(true);
    const text = readFileSync(`docs/sources/${page}`, 'utf8');
    // A newcomer needs three things: what to enter, what to grant, and what to look at first, with its picture.
    const sections = new Map(
      text.split(/^## /m).map((one) => [one.split('\n')[0], one.replace(/^.*\n/, '').trim()]),
    );
    for (const { name } of form) expect(sections.get('Credentials')).toContain(`\`${name}\``);
    for (const heading of ['Grants', 'First lineage']) {
      expect(sections.get(heading)?.length ?? 0, heading).toBeGreaterThan(100);
    }
    expect(sections.get('First lineage')).toMatch(/!\[[^\]]+\]\(\.\.\/images\/sources\/\w+\.svg\)/);
    const reads = manifest.capabilities.map((name) => capabilities[name]).join(', ');
    const beta = manifest.isBeta ? ' (beta)' : '';
    expect(index).toContain(`| [${label}](${page})${beta} | \`${type}\` | ${reads} |`);
    if (manifest.isBeta) expect(text).toContain('beta');
  });

  test('it can what it says, and says what it can', async () => {
    const credentials = exampleFor('127.0.0.1', 9)[type] ?? { path: 'x.duckdb' };
    const connector = await manifest.open({ id: `can ${type}`, reach }, credentials);
    await connector.close();
    const says = (name: keyof typeof capabilities) => manifest.capabilities.includes(name);
    expect(says('history')).toBe(connector.queryHistory !== undefined);
    expect(says('estimate')).toBe(connector.estimate !== undefined);
    expect(connector.dialect).toBe(manifest.dialect);
    expect(says('measure')).toBe(manifest.dialect !== null);
    expect(says('dashboards')).toBe(manifest.dialect === null);
    if (manifest.dialect === null) return;
    const dialect = sourceDialect(manifest.dialect);
    expect(says('freshness')).toBe(askForLastChange(dialect, ['d', 's', 't']) !== null);
  });

  test('opening it connects to nothing', async () => {
    await using fake = await startFake(() => ({ body: '' }));
    const credentials = exampleFor('127.0.0.1', fake.port)[type] ?? { path: 'x.duckdb' };
    const connector = await manifest.open({ id: `opened ${type}`, reach }, credentials);
    await new Promise((resolve) => setImmediate(resolve));
    expect(fake.connections()).toBe(0);
    await connector.close();
  });

  test('no message holds one of its secrets, and where it goes may be read', () => {
    const filled = Object.fromEntries(
      form.map(({ name, isSecret }) => [name, isSecret ? `${secret}-${name}` : `shown-${name}`]),
    );
    const scrub = scrubberOf({ ...filled, unheard_of: secret }, shownNames(manifest.credentials));
    for (const { name, isSecret } of form) {
      const said = scrub(`it was ${filled[name]}.`);
      expect(said, name).toBe(isSecret ? 'it was ***.' : `it was shown-${name}.`);
    }
    expect(scrub(`it was ${secret}.`)).toBe('it was ***.');
  });

  test('a typo of one of its fields is said, with what was meant', () => {
    for (const { name } of form.filter(({ name }) => name.length > 4)) {
      const typo = `${name.slice(0, 2)}${name.charAt(3)}${name.charAt(2)}${name.slice(4)}`;
      if (typo === name) continue;
      expect(() => checkCredentialNames(type, { [typo]: 'x' }), typo).toThrow(
        `Did you mean ${name}?`,
      );
    }
    expect(() => checkCredentialNames(type, { tenant: 'x', team_name: 'y' })).not.toThrow();
  });
});

test('labels and aliases belong to one type each', () => {
  const names = Object.entries(connectors).flatMap(([type, { label, aliases = [] }]) => [
    ...new Set([type, label.toLowerCase(), ...aliases]),
  ]);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
