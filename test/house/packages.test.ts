// What the program is made of: licences, scripts of packages, the reasons of overrides, the SBOM.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { filesMatching, root } from './sources.ts';

/** Licences under which a package may be part of what runs. All let anybody use and pass it on. */
const allowed = new Set([
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause'],
  ...['BlueOak-1.0.0', 'ISC', 'MIT', 'MIT-0', 'PSF-2.0', 'Unlicense'],
  // The program of date-holidays is ISC; its data is CC BY-SA, mostly from Wikipedia, and is used as it comes.
  '(ISC AND CC-BY-3.0)',
]);

const read = (path: string) => readFileSync(join(root, path), 'utf8');

const lock = z
  .object({
    packages: z.record(
      z.string(),
      z.object({
        name: z.string().optional(),
        version: z.string().optional(),
        license: z.string().optional(),
        dev: z.boolean().optional(),
        hasInstallScript: z.boolean().optional(),
      }),
    ),
  })
  .parse(JSON.parse(read('package-lock.json')));
const manifest = z
  .object({
    overrides: z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])),
    allowScripts: z.record(z.string(), z.boolean()),
  })
  .parse(JSON.parse(read('package.json')));

const installed = Object.entries(lock.packages).filter(([path]) => path !== '');
const inProduction = installed.filter(([, { dev }]) => dev !== true);
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 13);

test('every package of production has a licence that is allowed', () => {
  expect(inProduction.length).toBeGreaterThan(100);
  const others = inProduction.filter(([, { license = '' }]) => !allowed.has(license));
  expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
});

test('no package may run a script when it is installed, whichever npm installs it', () => {
  for (const file of ['.npmrc', 'tools/.npmrc', 'tools/mutation/.npmrc']) {
    expect(read(file), file).toMatch(/^ignore-scripts=true$/m);
  }
  const wanting = installed.filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(wanting.length).toBeGreaterThan(0);
  const unnamed = wanting.filter(
    ([path, { dev }]) => dev !== true && manifest.allowScripts[nameOf(path)] !== false,
  );
  expect(unnamed.map(([path]) => path)).toEqual([]);
});

/** The package that takes the place of one that is named and never loaded. */
const nothing = '@favware/skip-dependency';

/** An override as the page has it: a version, or one of two words. */
function meaningOf(override: string): string {
  if (override.startsWith(`npm:${nothing}@`)) return 'left out';
  return override.startsWith('$') ? 'ours' : override;
}

test('each override is explained, with its version, and is in force', () => {
  const [page] = filesMatching(/^docs\/decisions\/packages\.md$/);
  const explained = new Map(
    [...(page?.text ?? '').matchAll(/^\| `([^`]+)` (\d[\w.-]*|left out|ours) \|/gm)].map(
      ([, name = '', meaning = '']) => [name, meaning] as const,
    ),
  );
  const overrides = Object.entries(manifest.overrides).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [[name, meaningOf(value)] as const]
      : Object.entries(value).map(([of, one]) => [`${name} > ${of}`, meaningOf(one)] as const),
  );
  expect(explained).toEqual(new Map(overrides));
  for (const [name, meaning] of explained) {
    const copies = installed.filter(([path]) => nameOf(path) === name.split(' > ').at(-1));
    const found = copies.map(([, { name, version }]) => (name === nothing ? 'left out' : version));
    expect(found, name).toEqual([meaning === 'ours' ? copies[0]?.[1].version : meaning]);
  }
});

test('the SBOM names every package of production that is installed, and no other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-sbom-'));
  try {
    const file = join(folder, 'made', 'sbom.json');
    execFileSync(process.execPath, ['scripts/sbom.mjs', file], { cwd: root });
    const { bomFormat, components } = z
      .object({
        bomFormat: z.string(),
        components: z.array(
          z.object({
            purl: z.string(),
            hashes: z.array(z.object({ alg: z.string() })).min(1),
            licenses: z.array(z.unknown()).min(1),
          }),
        ),
      })
      .parse(JSON.parse(readFileSync(file, 'utf8')));
    expect(bomFormat).toBe('CycloneDX');
    const named = new Set(components.map(({ purl }) => decodeURIComponent(purl)));
    const direct = ['graphql', 'graphql-yoga', 'pg', 'prom-client', 'pino', '@pothos/core'];
    for (const name of direct) {
      const version = lock.packages[`node_modules/${name}`]?.version;
      expect(named).toContain(`pkg:npm/${name}@${version}`);
    }
    const known = new Set(
      inProduction.map(([path, { name, version }]) => `pkg:npm/${name ?? nameOf(path)}@${version}`),
    );
    expect([...named].filter((one) => !known.has(one))).toEqual([]);
    expect(JSON.stringify([...named])).not.toContain('vitest');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
