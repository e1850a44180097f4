// The commands that README.md names, each run in a copy of the project: it ends with 0.

import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { root } from './sources.ts';

vi.setConfig({ testTimeout: 600_000 });

/** How a command is run here. As the README has it, unless the row says something else. */
interface Row {
  /** What stands for the words in capitals. */
  readonly given?: readonly [word: string, value: string];
  /** What is run in its place, and the reason. */
  readonly instead?: readonly [command: string, reason: string];
  /** What a program says that serves until it is stopped. */
  readonly serving?: RegExp;
}

const ready = /ready at http/;
const long = 'the whole of it takes minutes';

/** In this order: what is backed up here is restored there. */
const rows: Readonly<Record<string, Row>> = {
  'npm ci && npm run demo': {
    instead: [
      'npm ci --dry-run --offline && npm run demo',
      'the packages are there, and others use them',
    ],
    serving: ready,
  },
  'npm start': { serving: ready },
  'npm run demo': { serving: ready },
  'npm run dev': { serving: ready },
  'npm test': { instead: ['npm test -- test/text/nearest.test.ts', long] },
  'npm run test:processes': {
    instead: ['npm run test:processes -- test/database/await-server.process.test.ts', long],
  },
  'npm run test:browser': {
    instead: ['npm run test:browser -- test/explorer/beginning.browser.test.ts', long],
  },
  'npm run test:gates': {
    instead: ['npm run test:gates -- test/gates/start-failures.gate.test.ts', long],
  },
  'npm run key -- --email ADDRESS': { given: ['ADDRESS', 'someone@example.com'] },
  'npm run -s db:url': {},
  'npm run backup FILE': { given: ['FILE', 'backup.tar'] },
  'npm run restore FILE': { given: ['FILE', 'backup.tar'] },
  'npm run workspace -- list': {},
  'npm run check': { instead: ['npm run check -- tables schema', long] },
  'npm run mutate -- --sample 60': { instead: ['npm run mutate -- --sample 60 --list', long] },
  'npm run gates': { instead: ['npm run gates -- --list', long] },
  'npm run sbom FILE': { given: ['FILE', 'sbom.json'] },
  'npm run source:record -- TYPE': {
    instead: ['npm run source:record -- --help', 'an account of a source is needed'],
  },
  'npm run schema:print': {},
  'npm run db:migration NAME': { given: ['NAME', 'nothing_changed'] },
  'npm run prisma -- studio': { serving: /Studio is running at/ },
  'npm run prisma -- validate': {},
  'npm run prisma -- format': {},
};

/** Where the files of a disk can be linked: the temporary folder of tests may be memory. */
const disk = existsSync('/var/tmp') ? '/var/tmp' : tmpdir();
let folder: string;
let copy: string;

beforeAll(() => {
  folder = mkdtempSync(join(disk, 'headwater-commands-'));
  // The packaged database runs as another user where the tests run as root.
  chmodSync(folder, 0o755);
  copy = join(folder, 'project');
  cpSync(root, copy, { recursive: true, preserveTimestamps: true, filter: isCopied });
  for (const place of ['', 'tools', 'tools/mutation']) copyPackages(place);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function isCopied(path: string): boolean {
  const name = relative(root, path);
  const [first = ''] = name.split('/');
  return !['.git', 'data', 'coverage', 'shared'].includes(first) && !name.endsWith('node_modules');
}

/** Packages are linked file by file, so that they are found where they would be; what builds keep is left out. */
function copyPackages(place: string): void {
  const [from, to] = [root, copy].map((one) => join(one, place, 'node_modules'));
  if (from === undefined || to === undefined || !existsSync(from)) return;
  mkdirSync(to);
  const kept = readdirSync(from).filter((name) => !name.startsWith('.') || name === '.bin');
  for (const name of [...kept, '.package-lock.json', '.installed.json']) {
    const path = join(from, name);
    if (!existsSync(path)) continue;
    try {
      execFileSync('cp', ['-al', path, to], { stdio: 'ignore' });
    } catch {
      cpSync(path, join(to, name), { recursive: true, verbatimSymlinks: true });
    }
  }
  const stamps = join(from, '.cache/headwater');
  if (existsSync(stamps)) cpSync(stamps, join(to, '.cache/headwater'), { recursive: true });
}

/** Run a command as a person would, and stop it once it serves; its exit code and all that it said. */
async function run(command: string, { serving, dataDir }: { serving?: RegExp; dataDir: string }) {
  const [program = '', ...args] = command.split(' ');
  const { PATH, HOME, LANG } = process.env;
  const child = spawn(program, args, {
    cwd: copy,
    env: {
      ...{ PATH, HOME, LANG, TMPDIR: tmpdir(), DATA_DIR: dataDir },
      ...{ PORT: '0', DRAIN_SECONDS: '0', BROWSER: 'none' },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let isStopped = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      said += data;
      if (isStopped || !serving?.test(said)) return;
      isStopped = true;
      child.kill('SIGTERM');
    });
  }
  // A server that never says so is stopped before the test gives up.
  const late = setTimeout(() => child.kill('SIGTERM'), 300_000);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(late);
  return { code, said, hasServed: isStopped };
}

/** What README.md says to type: in its tables and sentences, and in its blocks. */
function namedCommands(): string[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const typed = [...readme.matchAll(/`((?:npm|npx|node) [^`\n]+)`/g)];
  const blocks = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, code = '']) => code);
  const lines = blocks.flatMap((code) => code.split('\n'));
  return [
    ...typed.map(([, command = '']) => command),
    ...lines.filter((line) => /^(npm|npx|node) /.test(line)),
  ];
}

describe('the commands of README.md', () => {
  test('are those that are run here', () => {
    expect([...new Set(namedCommands())].toSorted()).toEqual(Object.keys(rows).toSorted());
  });

  test.each(Object.entries(rows))('%s', async (named, { given, instead, serving }) => {
    let command = instead?.[0] ?? named;
    if (given) command = command.replace(given[0], given[1]);
    expect(command).not.toMatch(/\b[A-Z]{4,}\b/);
    // A backup is restored into an empty database.
    const dataDir = join(folder, named.includes('restore') ? 'restored' : 'data');
    const steps = command.split(' && ');
    for (const step of steps) {
      const until = step === steps.at(-1) ? serving : undefined;
      const { code, said, hasServed } = await run(step, {
        dataDir,
        ...(until ? { serving: until } : {}),
      });
      expect({ code, hasServed }, said).toEqual({ code: 0, hasServed: until !== undefined });
    }
  });
});

test('Prisma refuses what it would download a program for, and says what to use', async () => {
  const { code, said } = await run('npm run prisma -- migrate dev', { dataDir: folder });
  expect(code).toBe(1);
  expect(said).toContain('Author a migration with `npm run db:migration NAME`');
});

test('a migration says what the schema changed', async () => {
  const schema = join(copy, 'prisma/schema.prisma');
  const text = readFileSync(schema, 'utf8');
  writeFileSync(schema, text.replace('model Tag {\n', 'model Tag {\n  shade String?\n'));
  const { code, said } = await run('npm run db:migration a_shade', { dataDir: folder });
  expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining('Wrote prisma/') });
  const [, written = ''] = /Wrote (\S+)\./.exec(said) ?? [];
  expect(readFileSync(join(copy, written), 'utf8')).toBe(
    '-- AlterTable\nALTER TABLE "tag" ADD COLUMN     "shade" TEXT;\n',
  );
});
