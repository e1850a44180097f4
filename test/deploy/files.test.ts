// The files of `deploy/`: what they name is there, and they agree with the program and with each other.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { type Config, readConfig, settingNames } from '../../src/config.ts';
import { longestStopMs } from '../../src/process/stop.ts';
import { root } from '../house/sources.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
/** How long a stop may take besides the time of draining, on a machine that may be busy. */
const stopSeconds = longestStopMs / 1_000 + 10;

/** Instructions of a Dockerfile, with lines that go on joined, and without comments. */
function instructionsOf(path: string): { name: string; rest: string }[] {
  return read(path)
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
      return { name, rest };
    });
}

const dockerfile = instructionsOf('deploy/Dockerfile');
const last = dockerfile.slice(dockerfile.findLastIndex(({ name }) => name === 'FROM'));
const only = (name: string) => {
  const found = last.filter((one) => one.name === name);
  expect(found, name).toHaveLength(1);
  return found[0]?.rest ?? '';
};
const words = z.array(z.string());
const argumentsOf = (rest: string) => words.parse(JSON.parse(rest.slice(rest.indexOf('['))));
/** What the build makes, next to what is in the tree. */
const made = new Set(['node_modules', 'dist', 'dist/main.cjs']);

const environment = Object.fromEntries(
  [...only('ENV').matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
);

test('the Dockerfile knows no instruction that Docker lacks, and runs as no special user', () => {
  const known = /^(ARG|CMD|COPY|ENV|EXPOSE|FROM|HEALTHCHECK|RUN|STOPSIGNAL|USER|VOLUME|WORKDIR)$/;
  for (const { name } of dockerfile) expect(name).toMatch(known);
  expect(only('USER')).toBe('node');
  expect(only('STOPSIGNAL')).toBe('SIGTERM');
  // Stages after the first start over: nothing of a compiler or of npm's cache comes along.
  expect(dockerfile.filter(({ name }) => name === 'FROM')).toHaveLength(2);
});

test('its settings are settings, and what it exposes is where the program listens', () => {
  const { NODE_ENV, ...settings } = environment;
  expect(NODE_ENV).toBe('production');
  expect(settingNames).toEqual(expect.arrayContaining(Object.keys(settings)));
  const config = readConfig(settings);
  expect(only('EXPOSE')).toBe(String(config.PORT));
  expect(config.HOST).toBe('0.0.0.0');
  expect(only('VOLUME')).toBe(config.DATA_DIR);
  // The folder has to be there, and the user's, before the user comes.
  const owned = `install -d -o node -g node -m 0700 ${config.DATA_DIR}`;
  expect(only('RUN')).toBe(owned);
});

/** The pictures that pages of the documentation show. */
function picturesShown(): string[] {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const shown = pages
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => [...read(`docs/${name}`).matchAll(/\]\((?:\.\.\/)?(images\/[^)]+)\)/g)]);
  // Those of sources lie in a folder of their own.
  const paths = shown.map(([, path = '']) =>
    path.replace(/^images\/sources\/.*/, 'images/sources'),
  );
  return [...new Set(paths.map((path) => `docs/${path}`))].sort();
}

test('all that it copies is there, and nothing else goes to the builder', () => {
  const copied = dockerfile
    .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from'))
    .flatMap(({ rest }) => rest.split(' ').slice(0, -1));
  expect(copied).toContain('package-lock.json');
  for (const path of copied) expect(existsSync(join(root, path)), path).toBe(true);
  const ignored = read('deploy/Dockerfile.dockerignore').split('\n');
  const sent = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  expect(ignored).toContain('*');
  const folders = sent.filter((path) => !path.startsWith('docs/'));
  expect(folders.sort()).toEqual(copied.map((path) => path.replace(/^\.\//, '')).sort());
  expect(sent.filter((path) => path.startsWith('docs/')).sort()).toEqual(picturesShown());
  const kept = last
    .filter(({ name }) => name === 'COPY')
    .map(({ rest }) => /^--from=build \/srv\/headwater\/(\S+) /.exec(rest)?.[1] ?? rest);
  for (const path of kept) expect(made.has(path) || existsSync(join(root, path)), path).toBe(true);
});

test('node itself is the first process, with what the build makes', () => {
  const [program, script = '', ...more] = argumentsOf(only('CMD'));
  expect([program, ...more]).toEqual(['node']);
  expect(made).toContain(script);
  expect(read('scripts/build.mjs')).toContain(`output: '${script}'`);
});

test('the README builds it from the clone, and runs it with the sample on its port and volume', () => {
  const [line = ''] = /^docker build [^`]*/m.exec(read('README.md')) ?? [];
  const [build = '', run = ''] = line
    .replaceAll(/\\\n\s*/g, '')
    .trim()
    .split(' && ');
  const [, file = '', tag = ''] = /^docker build -f (\S+) -t (\S+) \.$/.exec(build) ?? [];
  expect(read(`${file}.dockerignore`)).toContain('!src');
  const { PORT, DATA_DIR } = readConfig(environment);
  const command = `${argumentsOf(only('CMD')).join(' ')} --demo`;
  const origin = `127.0.0.1:${PORT}`;
  expect(run).toBe(
    `docker run --rm -it -p ${origin}:${PORT} -v headwater:${DATA_DIR} -e PUBLIC_URL=http://${origin} ${tag} ${command}`,
  );
  expect(settingNames).toContain('PUBLIC_URL');
  expect(read('src/main.ts')).toContain("option === '--demo'");
});

test('its check of health says 0 where the server is alive, and 1 where it is not', async () => {
  let status = 200;
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  const [, ...args] = argumentsOf(only('HEALTHCHECK').replace(/^.*?CMD /, ''));
  const env = { ...process.env, PORT: String(port) };
  const check = () =>
    new Promise<number | null>((resolve) => {
      spawn(process.execPath, args, { env, stdio: 'ignore' }).once('close', resolve);
    });
  expect(await check()).toBe(0);
  status = 503;
  expect(await check()).toBe(1);
  expect(asked).toEqual(['/healthz', '/healthz']);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect(await check()).toBe(1);
});

const service = z
  .object({
    image: z.string().optional(),
    build: z.object({ context: z.string(), dockerfile: z.string().optional() }).optional(),
    environment: z.record(z.string(), z.string()).default({}),
    ports: z.array(z.string()).default([]),
    volumes: z.array(z.string()).default([]),
    depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
    command: z.array(z.string()).optional(),
    restart: z.string(),
    stop_signal: z.string().optional(),
    stop_grace_period: z
      .string()
      .regex(/^\d+s$/)
      .optional(),
    read_only: z.boolean().optional(),
    tmpfs: z.array(z.string()).optional(),
    cap_add: z.array(z.string()).default([]),
    cap_drop: z.array(z.string()).optional(),
    security_opt: z.array(z.string()).optional(),
    mem_limit: z.string().optional(),
    shm_size: z.string().optional(),
    healthcheck: z
      .strictObject({
        test: z.array(z.string()),
        interval: z.string(),
        timeout: z.string(),
        start_period: z.string().optional(),
      })
      .optional(),
  })
  .strict();
const compose = z
  .looseObject({
    name: z.string(),
    services: z.record(z.string(), service),
    volumes: z.record(z.string(), z.null()),
  })
  .parse(parse(read('deploy/compose.yaml'), { merge: true }));
const { services } = compose;
const own = Object.entries(services).filter(([, { image }]) => image === 'headwater');
const filledIn: Readonly<Record<string, string>> = {
  POSTGRES_PASSWORD: 'feedf00d',
  DATABASE_PASSWORD: 'f00dfeed',
  SECRETS_KEY: 'x'.repeat(64),
  ADMIN_API_KEY: 'y'.repeat(48),
};
const fill = (text: string) =>
  text.replaceAll(/\$\{(\w+):\?\}/g, (_, name: string) => filledIn[name] ?? '?');

function configOf(environmentOfService: Readonly<Record<string, string>>): Config {
  const entries = Object.entries(environmentOfService).map(([name, value]) => [name, fill(value)]);
  return readConfig({ ...environment, ...Object.fromEntries(entries) });
}

test('the compose file has two that serve and one that works, with settings that are allowed', () => {
  expect(own.map(([, { environment: given }]) => configOf(given).ROLE).sort()).toEqual([
    'api',
    'api',
    'worker',
  ]);
  for (const [name, { environment: given }] of own) {
    expect(settingNames, name).toEqual(expect.arrayContaining(Object.keys(given)));
  }
  const asked = new Set(
    [...read('deploy/compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name),
  );
  const offered = [...read('deploy/example.env').matchAll(/^(\w+)=$/gm)].map(([, name]) => name);
  expect([...asked].sort()).toEqual(offered.sort());
  expect(Object.keys(filledIn).sort()).toEqual(offered.sort());
});

test('what it mounts, waits for and publishes is there', () => {
  const volumes = Object.keys(compose.volumes);
  const mounts = Object.values(services).flatMap((one) => one.volumes.map((v) => v.split(':')));
  const files = mounts.filter(([from = '']) => from.startsWith('./'));
  expect(
    files.map(([from = '', , mode]) => [existsSync(join(root, 'deploy', from)), mode]),
  ).toEqual([[true, 'ro']]);
  const mounted = mounts.flatMap(([from = '']) => (from.startsWith('./') ? [] : from));
  expect(mounted.sort()).toEqual(volumes.sort());
  for (const [name, { depends_on: others, build, ports }] of Object.entries(services)) {
    for (const [other, { condition }] of Object.entries(others)) {
      expect(services[other], `${name} waits for ${other}`).toBeDefined();
      if (condition === 'service_healthy') expect(services[other]?.healthcheck).toBeDefined();
    }
    if (build) {
      const file = build.dockerfile ?? 'Dockerfile';
      expect(existsSync(join(root, 'deploy', build.context, file)), name).toBe(true);
    }
    // Nothing is served to the world before TLS stands in front.
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:4000$/);
  }
  for (const [, { volumes: mounts }] of own) {
    expect(mounts.map((mount) => mount.split(':')[1])).toEqual([environment.DATA_DIR]);
  }
});

test('it waits for longer than a stop takes', () => {
  for (const [name, { environment: given, stop_grace_period: grace = '0s' }] of own) {
    const least = configOf(given).DRAIN_SECONDS + stopSeconds;
    expect(Number.parseInt(grace, 10), name).toBeGreaterThanOrEqual(least);
  }
});

/** The settings of PgBouncer, by name. */
const ini = new Map(
  [...read('deploy/pgbouncer/pgbouncer.ini').matchAll(/^(\w+) = ?(.*)$/gm)].map(
    ([, name = '', value = '']) => [name, value] as const,
  ),
);

test('PgBouncer listens where the program looks for it, and asks the server that there is', () => {
  for (const [name, { environment: given }] of own) {
    const { DATABASE_URL = '', DATABASE_DIRECT_URL = '' } = configOf(given);
    const [pooler, direct] = [new URL(DATABASE_URL), new URL(DATABASE_DIRECT_URL)];
    expect([pooler.hostname, pooler.port], name).toEqual(['pgbouncer', ini.get('listen_port')]);
    expect(services[direct.hostname]?.image).toMatch(/^postgres:/);
    const { POSTGRES_USER } = services[direct.hostname]?.environment ?? {};
    for (const url of [pooler, direct]) {
      expect([url.username, url.password, url.pathname]).toEqual([
        ...['headwater', filledIn.DATABASE_PASSWORD, '/headwater'],
      ]);
      expect(url.username).not.toBe(POSTGRES_USER);
    }
  }
  expect(ini.get('headwater')).toBe('host=postgres port=5432 dbname=headwater');
  expect(ini.get('pool_mode')).toBe('transaction');
  // Both need room: the pool's connections, those past it, and a person's.
  const command = services.postgres?.command?.join(' ') ?? '';
  const room = Number(/max_connections=(\d+)/.exec(command)?.[1]);
  expect(room).toBeGreaterThanOrEqual(Number(ini.get('default_pool_size')) + own.length * 3 + 5);
  // A start refuses any other.
  expect(command).toContain('timezone=UTC');
  expect(services.pgbouncer?.healthcheck?.test.join(' ')).toContain(`/${ini.get('listen_port')}`);
});

test("what is written down for PgBouncer is the server's user", () => {
  const script = read('deploy/pgbouncer/start.sh');
  const [, user] = /printf '"(\w+)" "%s"/.exec(script) ?? [];
  const owner = read('deploy/postgres/owner.sh');
  expect(owner).toContain(`create role ${user} login`);
  expect(owner).toContain(`create database headwater owner ${user};`);
  const [, file] = /> (\S+)/.exec(script) ?? [];
  expect(file).toBe(ini.get('auth_file'));
  expect(script).toContain('exec pgbouncer /etc/pgbouncer/pgbouncer.ini');
  const copies = instructionsOf('deploy/pgbouncer/Dockerfile').filter(
    ({ name }) => name === 'COPY',
  );
  for (const { rest } of copies) {
    const [path = ''] = rest.replace(/^--\S+ /, '').split(' ');
    expect(existsSync(join(root, 'deploy/pgbouncer', path)), path).toBe(true);
  }
});

test('no service may more than it needs, and none but the reader of secrets knows the superuser', () => {
  for (const [
    name,
    { cap_drop, cap_add, security_opt, mem_limit, environment: given },
  ] of Object.entries(services)) {
    expect([name, cap_drop, security_opt]).toEqual([name, ['ALL'], ['no-new-privileges:true']]);
    expect(mem_limit, name).toMatch(/^\d+[mg]$/);
    if (name === 'postgres') continue;
    expect(cap_add, name).toEqual([]);
    expect(JSON.stringify(given), name).not.toContain('POSTGRES_PASSWORD');
  }
});

test('images name a release, and those that no release is known of are pinned by Renovate', () => {
  expect(services.postgres?.image).toMatch(/^postgres:\d+\.\d+-bookworm$/);
  const { extends: presets } = z
    .object({ extends: z.array(z.string()) })
    .parse(JSON.parse(read('renovate.json')));
  expect(presets).toContain('docker:pinDigests');
});

const unit = read('deploy/headwater.service');
const inUnit = (name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);

test('the unit starts what is built, with settings that there are, and waits for its end', () => {
  const [, ...args] = inUnit('ExecStart')[0]?.split(' ') ?? [];
  expect(args).toEqual(argumentsOf(only('CMD')).slice(1));
  const settings = Object.fromEntries(
    inUnit('Environment').flatMap((line) => line.split(' ').map((pair) => pair.split('='))),
  );
  const { NODE_ENV, ...own } = settings;
  expect(NODE_ENV).toBe('production');
  expect(settingNames).toEqual(expect.arrayContaining(Object.keys(own)));
  expect(own.DATA_DIR).toBe(`/var/lib/${inUnit('StateDirectory')[0]}`);
  const seconds = Number(inUnit('TimeoutStopSec')[0]);
  expect(seconds).toBeGreaterThanOrEqual(readConfig({}).DRAIN_SECONDS + stopSeconds);
  expect(inUnit('KillMode')).toEqual(['mixed']);
});

test('systemd finds nothing wrong with the unit', ({ skip }) => {
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) {
    return skip('It needs `systemd-analyze`.');
  }
  const file = join(root, 'deploy/headwater.service');
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
  // The machine that checks it need not have node where a server has it.
  const said = stderr.split('\n').filter((line) => line.includes('headwater.service'));
  expect(said.filter((line) => !/node is not executable/.test(line))).toEqual([]);
  if (said.length === 0) expect(status).toBe(0);
});

test('the unit leaves little open', ({ skip }) => {
  const file = join(root, 'deploy/headwater.service');
  const args = ['security', '--offline=true', '--no-pager', '--threshold=20', file];
  const { status, stdout, error } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  if (error || !stdout) return skip('It needs `systemd-analyze security`.');
  // An exposure of 2.0 at most, where that of a service with nothing set is 9.6.
  expect([status, stdout.split('\n').filter((line) => line.includes('Overall'))]).toEqual([
    0,
    expect.any(Array),
  ]);
});

test('the scripts are ones that a shell can read', () => {
  for (const script of ['pgbouncer/start.sh', 'postgres/owner.sh']) {
    execFileSync('sh', ['-n', join(root, 'deploy', script)]);
  }
});
