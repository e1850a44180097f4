// What the Dockerfile keeps is enough: its files alone, read-only and for another user, serve everything.

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { external } from '../../scripts/bundle.mjs';
import { freePort } from '../../scripts/free-port.mjs';
import { root } from '../house/sources.ts';

vi.setConfig({ testTimeout: 180_000 });

const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8').replaceAll(
  /\\\n\s*/g,
  ' ',
);
const kept = [...dockerfile.matchAll(/^COPY --from=build \/srv\/headwater\/(\S+) /gm)].map(
  ([, path = '']) => path,
);
const shrink = 'scripts/shrink.mjs';
const lock = z
  .object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) })
  .parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
/** Packages that are read when they are first needed; of two of the others the program reads a file. */
const read = external.filter(
  (name) => !['date-holidays', 'esbuild', 'swagger-ui-dist'].includes(name),
);
const asModule = ['--input-type=module'];
const nobody = 65_534;
const disk = '/var/tmp';

/** Make a folder with the files of the image: those that are copied, without what is removed. */
function makeImage(): string {
  // On a disk, where the files can be linked: the temporary folder of tests may be memory.
  const image = mkdtempSync(join(existsSync(disk) ? disk : tmpdir(), 'headwater-image-'));
  for (const path of kept) {
    // Links where they can be made: it is 400 MB before it is shrunk.
    try {
      execFileSync('cp', ['-al', join(root, path), image], { stdio: 'ignore' });
    } catch {
      cpSync(join(root, path), join(image, path), { recursive: true, verbatimSymlinks: true });
    }
  }
  for (const [path, { dev }] of Object.entries(lock.packages)) {
    if (dev) rmSync(join(image, path), { recursive: true, force: true });
  }
  execFileSync(process.execPath, [join(root, shrink)], { cwd: image });
  execFileSync('chmod', ['755', image]);
  return image;
}

test('the program runs from the files of the image, and finds all that it reads', async () => {
  expect(kept).toContain('dist');
  expect(dockerfile).toContain(`RUN node ${shrink}\n`);
  const image = makeImage();
  const installed = (path: string) => existsSync(join(image, 'node_modules', path));
  expect(installed('graphql/index.js')).toBe(false);
  expect(installed('graphql/LICENSE')).toBe(true);
  const dataDir = join(tmpdir(), `headwater-image-data-${process.pid}`);
  mkdirSync(dataDir);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) execFileSync('chown', [`${nobody}:${nobody}`, dataDir]);
  const port = await freePort();
  const env = {
    ...{ PATH: process.env.PATH, NODE_ENV: 'production' },
    ...{ PORT: String(port), DATA_DIR: dataDir },
  };
  const account = isRoot ? { uid: nobody, gid: nobody } : {};
  const child = spawn(process.execPath, ['dist/main.cjs'], {
    ...{ cwd: image, env, stdio: 'ignore' as const },
    ...account,
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  try {
    const base = `http://127.0.0.1:${port}`;
    const status = () => fetch(`${base}/readyz`).then((answer) => answer.status, String);
    await expect.poll(status, { timeout: 60_000 }).toBe(200);
    const key = readFileSync(join(dataDir, 'admin-api-key'), 'utf8').trim();
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const pages = ['/', '/api/v1/docs', '/api/v1/docs/swagger-ui.css', '/api/v1/openapi.json'];
    pages.push('/docs', '/docs/operations', '/docs/images/lineage-changes.png');
    for (const path of [...pages, '/api/v1/tag', '/metrics']) {
      expect((await fetch(base + path, { headers })).status, path).toBe(200);
    }
    const page = await fetch(`${base}/graphql`, { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain('<html');
    const ask = async (query: string) => {
      const body = JSON.stringify({ query });
      return (await fetch(`${base}/graphql`, { method: 'POST', headers, body })).json();
    };
    // Threads, the parser of SQL, Prisma's compiler, and the drivers of sources.
    const sql = 'lineageFromQuery(sql: "select a from t", dialect: "postgres") { __typename }';
    expect(await ask(`{ ${sql} }`)).toMatchObject({ data: { lineageFromQuery: {} } });
    const make = 'createResource(kind: table, input: { title: "orders" }) { id }';
    const made = z
      .object({ data: z.object({ createResource: z.object({ id: z.string() }) }) })
      .parse(await ask(`mutation { ${make} }`));
    const watch = `targetId: "${made.data.createResource.id}", metricType: row_count`;
    const holidays = `createMonitor(input: { ${watch}, holidayCountry: "DE" }) { holidayCountry }`;
    const watched = { data: { createMonitor: { holidayCountry: 'DE' } } };
    expect(await ask(`mutation { ${holidays} }`)).toEqual(watched);
    const backup = execFileSync(process.execPath, ['dist/commands/backup.js', '-'], {
      ...{ cwd: image, env, stdio: ['ignore', 'pipe', 'ignore'] },
      ...account,
    });
    expect(backup.toString('latin1')).toContain('manifest.json');
    for (const name of read) {
      execFileSync(process.execPath, ['-e', `await import('${name}')`, ...asModule], {
        cwd: image,
      });
    }
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  } finally {
    child.kill('SIGKILL');
    await ended;
    for (const folder of [image, dataDir]) rmSync(folder, { recursive: true, force: true });
  }
});
