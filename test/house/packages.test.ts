// What the program is made of: licences, scripts of packages, the reasons of overrides, the SBOM.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { inside, placeholder } from '../../scripts/inside.mjs';
import { filesMatching, root } from './sources.ts';

/** Licences under which a package may be part of what runs. All let anybody use and pass it on. */
const allowed = new Set([
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause'],
  ...['BlueOak-1.0.0', 'ISC', 'MIT', 'MIT-0', 'PSF-2.0', 'Unlicense'],
  // The program of date-holidays is ISC; its data is CC BY-SA, mostly from Wikipedia, and is used as it comes.
  '(ISC AND CC-BY-3.0)',
  // What PostgreSQL is, and the libraries that come with it.
  ...['PostgreSQL', 'OpenSSL', 'Unicode-DFS-2016', 'Zlib', 'public domain'],
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

test('what packages have inside is named with its version, and has a licence that is allowed', () => {
  expect(inside.filter(({ license }) => !allowed.has(license))).toEqual([]);
  const installedHere = inside.filter((part) => existsSync(join(root, 'node_modules', part.in)));
  const named = installedHere.map(({ name }) => name);
  expect(named).toEqual(expect.arrayContaining(['moment', 'postgresql']));
  const others = installedHere.filter((part) => {
    const held = readFileSync(join(root, 'node_modules', part.in, part.file));
    return !held.includes(part.mark);
  });
  expect(others).toEqual([]);
});

test('of what date-holidays has inside, nothing is missing', () => {
  const folder = 'node_modules/date-holidays/dist';
  const { sources } = z
    .object({ sources: z.array(z.string()) })
    .parse(JSON.parse(read(`${folder}/umd.min.js.map`)));
  const found = sources.flatMap((source) => /\/\.pnpm\/([^/]+)\//.exec(source)?.[1] ?? []);
  const listed = inside.filter((part) => part.in === 'date-holidays');
  expect([...new Set(found)].toSorted()).toEqual(
    listed.map(({ name, version }) => `${name}@${version}`).toSorted(),
  );
  // What its authors say themselves.
  const said = read(`${folder}/umd.min.js.LICENSE.txt`);
  for (const [, version] of said.matchAll(/^\/\/! version : (.+)$/gm)) {
    expect(listed.map((part) => part.version)).toContain(version);
  }
});

test('no package may run a script when it is installed, whichever npm installs it', () => {
  for (const file of ['.npmrc', 'tools/.npmrc']) {
    expect(read(file), file).toMatch(/^ignore-scripts=true$/m);
  }
  const wanting = installed.filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(wanting.length).toBeGreaterThan(0);
  const unnamed = wanting.filter(
    ([path, { dev }]) => dev !== true && manifest.allowScripts[nameOf(path)] !== false,
  );
  expect(unnamed.map(([path]) => path)).toEqual([]);
});

/** An override as the page has it: a version, or one of two words. */
function meaningOf(override: string): string {
  if (override.startsWith(`npm:${placeholder}@`)) return 'left out';
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
    const found = copies.map(([, { name, version }]) =>
      name === placeholder ? 'left out' : version,
    );
    expect(found, name).toEqual([meaning === 'ours' ? copies[0]?.[1].version : meaning]);
  }
});

test('the SBOM names every package of production that is installed, what is inside, and no other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-sbom-'));
  try {
    const file = join(folder, 'made', 'sbom.json');
    execFileSync(process.execPath, ['scripts/sbom.mjs', file], { cwd: root });
    const { bomFormat, components, dependencies } = z
      .object({
        bomFormat: z.string(),
        components: z.array(
          z.object({
            purl: z.string(),
            'bom-ref': z.string(),
            hashes: z.array(z.object({ alg: z.string() })).optional(),
            licenses: z.array(z.unknown()).min(1),
          }),
        ),
        dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
      })
      .parse(JSON.parse(readFileSync(file, 'utf8')));
    expect(bomFormat).toBe('CycloneDX');
    const named = new Set(components.map(({ purl }) => decodeURIComponent(purl)));
    const direct = ['graphql', 'graphql-yoga', 'pg', 'prom-client', 'pino', '@pothos/core'];
    for (const name of direct) {
      const version = lock.packages[`node_modules/${name}`]?.version;
      expect(named).toContain(`pkg:npm/${name}@${version}`);
    }
    const known = new Set([
      ...inProduction.map(
        ([path, { name, version }]) => `pkg:npm/${name ?? nameOf(path)}@${version}`,
      ),
      ...inside.map(({ purl }) => purl),
    ]);
    expect(named).toContain('pkg:npm/moment@2.29.4');
    expect(JSON.stringify(dependencies)).not.toContain(placeholder);
    const isInside = new Set(inside.map(({ purl }) => purl));
    const unsure = components.filter(({ purl, hashes }) => !hashes && !isInside.has(purl));
    expect(unsure).toEqual([]);
    expect([...named].filter((one) => one.includes(placeholder))).toEqual([]);
    const refs = new Set(components.map((one) => one['bom-ref']));
    const dangling = dependencies
      .flatMap(({ dependsOn }) => dependsOn)
      .filter((one) => !refs.has(one));
    expect(dangling).toEqual([]);
    expect([...named].filter((one) => !known.has(one))).toEqual([]);
    expect(JSON.stringify([...named])).not.toContain('vitest');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
