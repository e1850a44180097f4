// Whom the packaged server runs as, and who may have a folder, wherever Headwater itself is started.

import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test, vi } from 'vitest';
import { sayCounted } from '../../gates/counted.ts';
import { killIfThere } from './place.ts';

vi.setConfig({ testTimeout: 120_000 });

const program = fileURLToPath(new URL('./start.ts', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'headwater-accounts-'));
chmodSync(root, 0o755);
let [taken, refusals] = [0, 0];
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
  sayCounted(`${taken} starts had the folder, ${refusals} were refused it`);
});

/** Only root can be somebody else; the tests of a normal user are all the others. */
const asRoot = test.skipIf(process.getuid?.() !== 0);

interface Start {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Waits for one of the texts. */
  says(...texts: string[]): Promise<void>;
  /** Close the database and end; all that it printed. */
  close(): Promise<string>;
  readonly ended: Promise<void>;
}

function start(dataDir: string, prefix: readonly string[] = [], env: object = {}): Start {
  const [command = '', ...args] = [
    ...prefix,
    process.execPath,
    '--import',
    'tsx',
    program,
    dataDir,
  ];
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  // One that was refused may be gone before it is told to close.
  child.stdin.on('error', () => {});
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output += data;
    });
  }
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const says = (...texts: string[]) =>
    expect.poll(() => texts.some((text) => output.includes(text)), { timeout: 30_000 }).toBe(true);
  return {
    child,
    output: () => output,
    says: (...texts) => says(...texts),
    ended,
    async close() {
      await says('opened', 'refused');
      if (output.includes('opened')) taken += 1;
      else refusals += 1;
      child.stdin.end('close\n');
      await ended;
      return output;
    },
  };
}

function folder(name: string, mode: number, owner = 0): string {
  const path = join(root, name);
  mkdirSync(path);
  chmodSync(path, mode);
  chownSync(path, owner, owner);
  return path;
}

const as = (id: number, home: string) => [
  ...['setpriv', `--reuid=${id}`, `--regid=${id}`, '--clear-groups'],
  ...['env', `HOME=${home}`, `TMPDIR=${home}`],
];
const opened = 'opened 0\nclosed\n';

asRoot('root below a folder that is closed to everyone else', async () => {
  const parent = folder('closed', 0o700);
  expect(await start(join(parent, 'data')).close()).toBe(opened);
  // The server has its own folder and nothing else.
  expect(statSync(join(parent, 'data')).uid).toBe(0);
  expect(statSync(join(parent, 'data', 'postgres-18')).uid).toBe(65_432);
});

asRoot('root with no more rights than a container has, and with fewer', async () => {
  const usual = '+chown,+dac_override,+fowner,+fsetid,+setgid,+setuid,+setpcap';
  for (const rights of [`${usual},+kill`, usual]) {
    const parent = folder(rights.length > usual.length ? 'container' : 'without-kill', 0o700);
    const limited = ['setpriv', `--bounding-set=-all,${rights}`, '--no-new-privs'];
    expect(await start(join(parent, 'data'), limited).close()).toBe(opened);
  }
});

asRoot('root without the programs that change the account', async () => {
  const parent = folder('bare', 0o755);
  const programs = folder('programs', 0o755);
  for (const name of ['sh', 'readlink', 'env']) symlinkSync(`/bin/${name}`, join(programs, name));
  expect(await start(join(parent, 'data'), [], { PATH: programs }).close()).toBe(opened);
  expect(statSync(join(parent, 'data', 'postgres-18')).uid).toBe(65_432);
});

asRoot('root in a user namespace, where no other id can be had', async () => {
  const parent = folder('namespace', 0o700);
  const limited = ['unshare', '--user', '--map-root-user'];
  expect(await start(join(parent, 'data'), limited).close()).toBe(opened);
  expect(statSync(join(parent, 'data', 'postgres-18')).uid).toBe(0);
});

asRoot('a normal user, and an id that no account has', async () => {
  for (const id of [65_534, 12_345]) {
    const parent = folder(`user-${id}`, 0o755, id);
    expect(await start(join(parent, 'data'), as(id, parent)).close()).toBe(opened);
    expect(statSync(join(parent, 'data', 'postgres-18')).uid).toBe(id);
  }
});

asRoot(
  'root takes over the folder of another user, and the user is told when it is gone',
  async () => {
    const parent = folder('taken', 0o755, 12_345);
    expect(await start(join(parent, 'data'), as(12_345, parent)).close()).toBe(opened);
    expect(await start(join(parent, 'data')).close()).toBe(opened);
    const refused = await start(join(parent, 'data'), as(12_345, parent)).close();
    expect(refused).toMatch(/refused: .*belongs to another user.*change its owner/);
  },
);

asRoot('root without any rights is told what to do', async () => {
  const limited = ['setpriv', '--bounding-set=-all', '--no-new-privs'];
  const refused = await start(join(folder('nothing', 0o700), 'data'), limited).close();
  expect(refused).toMatch(
    /^refused: PostgreSQL can't be run by root here, and .*nothing is closed to other users/,
  );
  expect(refused).toContain('start Headwater as another user');
  expect(refused).toContain('or set DATABASE_URL');
});

/** A process of its own process ids, and of its own network, as in a container. */
const isolated = ['unshare', '--pid', '--net', '--fork', '--kill-child', '--mount-proc'];

asRoot(
  'from another container of the machine the folder is refused, under any host name',
  async () => {
    const dataDir = join(folder('containers', 0o755), 'data');
    const first = start(dataDir, isolated);
    await first.says('opened');
    const same = await start(dataDir, isolated).close();
    const other = await start(dataDir, [
      ...isolated.slice(0, 1),
      '--uts',
      ...isolated.slice(1),
    ]).close();
    for (const refused of [same, other, await start(dataDir).close()]) {
      expect(refused).toMatch(new RegExp(`refused: .* in use by process \\d+ on ${hostname()}`));
    }
    // A container that is killed is followed at once, whatever the next one is called.
    first.child.kill('SIGKILL');
    await first.ended;
    const renamed = ['unshare', '--uts', 'sh', '-c', 'hostname another && exec "$@"', 'sh'];
    expect(await start(dataDir, [...renamed, ...isolated]).close()).toBe(opened);
  },
);

asRoot('a dead process that no one has buried holds nothing', async () => {
  const dataDir = join(folder('zombie', 0o755), 'data');
  // The shell becomes a program that never waits for its child.
  const parent = start(dataDir, ['sh', '-c', '"$@" & echo "child $!"; exec sleep 60', 'sh']);
  await parent.says('opened');
  const child = Number(/child (\d+)/.exec(parent.output())?.[1]);
  killIfThere(child);
  const next = start(dataDir);
  await next.says('opened', 'refused');
  // Signal 0 asks whether there is such a process: a zombie is one.
  expect(process.kill(child, 0)).toBe(true);
  expect(await next.close()).toBe(opened);
  parent.child.kill('SIGKILL');
});
