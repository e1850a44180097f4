// PostgreSQL under Patroni on three nodes of one machine, with etcd, HAProxy and PgBouncer, as deploy/ha has them.

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { freePort } from '../../scripts/free-port.mjs';
import { openPlace, type Place, postgresProgram } from '../../test/servers.ts';
import { family, fill, type Program, signalAll, start } from './programs.ts';
import { openWay, type Way } from './proxies.ts';

/** What happens to the leader. */
export const faults = ['killed', 'frozen', 'cut off'] as const;
export type Fault = (typeof faults)[number];

/** A node: its Patroni, its server, and the ways to both and to etcd. */
interface Node {
  readonly name: string;
  readonly place: Place;
  readonly postgres: Way;
  readonly rest: Way;
  readonly etcd: Way;
  readonly config: string;
  patroni: Program;
}

/** How long it took until others took over; null for what did not come. */
export interface Takeover {
  readonly leadsMs: number | null;
  readonly followsMs: number | null;
}

/** A whole installation of PostgreSQL. */
export interface Nodes extends AsyncDisposable {
  /** Addresses of the database of Headwater: by PgBouncer, and past it to the leader. */
  readonly url: string;
  readonly directUrl: string;
  /** Wait until there is a leader that a synchronous standby follows, and all nodes run. */
  whole(limitMs: number): Promise<void>;
  leader(): Promise<string>;
  /**
   * What an operator does where Patroni's key `sync` keeps the name of a leader of before: it gets that of now, and no
   * standby that might take over until Patroni finds one.
   */
  nameLeader(): Promise<void>;
  /** Milliseconds from now until another node leads, and until a synchronous standby follows it. */
  untilLed(notBy: string, signal: AbortSignal): Promise<Takeover>;
  /** Let it happen to the leader; what undoes it. */
  strike(fault: Fault): Promise<() => Promise<void>>;
}

const password = () => randomBytes(12).toString('hex');

/** Start all of it. Throws where a program is not installed, or it does not become whole. */
export async function openNodes(): Promise<Nodes> {
  const bin = dirname(postgresProgram('pg_ctl') ?? '');
  const passwords = { POSTGRES_PASSWORD: password(), REPLICATION_PASSWORD: password() };
  const others: { place: Place; program: Program; signal: NodeJS.Signals }[] = [];
  const launch = (place: Place, program: string, args: string[], signal: NodeJS.Signals) => {
    others.push({ place, program: start(place, program, args), signal });
  };
  const etcd = openPlace('etcd');
  const [etcdPort, peerPort] = [await freePort(), await freePort()];
  launch(etcd, 'etcd', etcdArguments(etcd.folder, etcdPort, peerPort), 'SIGTERM');
  const nodes: Node[] = [];
  for (const name of ['node-1', 'node-2', 'node-3']) {
    nodes.push(await openNode(name, { etcdPort, bin, passwords }));
  }
  const primary = await freePort();
  const balancer = openPlace('haproxy');
  const ways = nodes.flatMap(({ postgres, rest }, n) => [
    [`NODE_${n + 1}`, `127.0.0.1:${postgres.through}`],
    [`REST_${n + 1}`, String(rest.through)],
  ]);
  const balancing = fill(balancer, 'haproxy.cfg', {
    ...Object.fromEntries(ways),
    LISTEN: `127.0.0.1:${primary}`,
  });
  launch(balancer, 'haproxy', ['-f', balancing], 'SIGTERM');
  const pool = openPlace('pgbouncer');
  const [pooled, own] = [await freePort(), password()];
  const users = join(pool.folder, 'userlist.txt');
  writeFileSync(users, `"headwater" "${own}"\n`, { mode: 0o644 });
  const pooling = { HOST: '127.0.0.1', PORT: String(primary), LISTEN_HOST: '127.0.0.1' };
  const ini = fill(pool, 'pgbouncer.ini', {
    ...{ ...pooling, LISTEN_PORT: String(pooled), USERS: users },
  });
  launch(pool, 'pgbouncer', ['-q', ini], 'SIGINT');

  const installed: Nodes = {
    url: `postgresql://headwater:${own}@127.0.0.1:${pooled}/headwater`,
    directUrl: `postgresql://headwater:${own}@127.0.0.1:${primary}/headwater`,
    whole: (limitMs) => untilWhole(nodes, limitMs),
    leader: async () => (await leaderOf(nodes)).name,
    async nameLeader() {
      const { name } = await leaderOf(nodes);
      const state = JSON.stringify({ leader: name, sync_standby: null });
      const key = `http://127.0.0.1:${etcdPort}/v2/keys/service/headwater/sync`;
      await fetch(key, { method: 'PUT', body: new URLSearchParams({ value: state }) });
    },
    untilLed: (notBy, signal) => untilLed(nodes, notBy, signal),
    async strike(fault) {
      const node = await leaderOf(nodes);
      return strikes[fault](node);
    },
    async [Symbol.asyncDispose]() {
      for (const { patroni, place } of nodes) {
        const pids = [...family(patroni.pid), ...serverOf(place)];
        signalAll(pids, 'SIGKILL');
        await patroni.ended;
      }
      for (const { program, signal } of others) await program.stop(signal);
      for (const { rest, postgres, etcd: way } of nodes) {
        for (const { proxy } of [rest, postgres, way]) await proxy[Symbol.asyncDispose]();
      }
      const places = [...nodes, ...others].map(({ place }) => place.folder);
      for (const folder of places) rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await installed.whole(180_000);
    await makeDatabase(primary, passwords.POSTGRES_PASSWORD, own);
  } catch (error) {
    await installed[Symbol.asyncDispose]();
    throw error;
  }
  return installed;
}

function etcdArguments(folder: string, port: number, peerPort: number): string[] {
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  return [
    ...['--name', 'one', '--data-dir', join(folder, 'data'), '--enable-v2'],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...['--initial-cluster', `one=${peer}`],
  ];
}

interface Installation {
  readonly etcdPort: number;
  readonly bin: string;
  readonly passwords: Readonly<Record<string, string>>;
}

async function openNode(name: string, { etcdPort, bin, passwords }: Installation): Promise<Node> {
  const place = openPlace(name);
  const [postgres, rest, etcd] = [await openWay(), await openWay(), await openWay(etcdPort)];
  const at = (port: number) => `127.0.0.1:${port}`;
  const config = fill(place, 'patroni.yml', {
    ...passwords,
    ...{ NODE: name, BIN: bin, DATA: place.folder, NETWORK: '127.0.0.1/32' },
    ...{ REST_LISTEN: at(rest.port), REST_ADDRESS: at(rest.through) },
    ...{ POSTGRES_LISTEN: at(postgres.port), POSTGRES_ADDRESS: at(postgres.through) },
    ...{ ETCD: at(etcd.through), ETCD_AS_GIVEN: 'true' },
  });
  return { name, place, postgres, rest, etcd, config, patroni: start(place, 'patroni', [config]) };
}

/** The processes of the server of a node, which Patroni does not end with itself. */
function serverOf({ folder }: Place): number[] {
  const file = join(folder, 'pgdata', 'postmaster.pid');
  if (!existsSync(file)) return [];
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  return Number.isInteger(pid) && pid > 1 ? family(pid) : [];
}

const strikes: Readonly<Record<Fault, (node: Node) => () => Promise<void>>> = {
  killed(node) {
    signalAll([...family(node.patroni.pid), ...serverOf(node.place)], 'SIGKILL');
    return async () => {
      await node.patroni.ended;
      node.patroni = start(node.place, 'patroni', [node.config]);
    };
  },
  frozen(node) {
    const pids = [...family(node.patroni.pid), ...serverOf(node.place)];
    signalAll(pids, 'SIGSTOP');
    return async () => signalAll(pids, 'SIGCONT');
  },
  'cut off'(node) {
    const ways = [node.postgres, node.rest, node.etcd];
    for (const { proxy } of ways) proxy.swallow();
    return async () => {
      for (const { proxy } of ways) proxy.resume();
    };
  },
};

const cluster = z.object({
  members: z.array(
    z.object({
      ...{ name: z.string(), role: z.string(), state: z.string() },
      timeline: z.number().optional(),
      lag: z.number().or(z.string()).optional(),
    }),
  ),
});
type Members = z.output<typeof cluster>['members'];

/** What the nodes say of the cluster: the first that answers. */
async function membersOf(nodes: readonly Node[]): Promise<Members> {
  for (const { rest } of nodes) {
    const answer = await fetch(`http://127.0.0.1:${rest.through}/cluster`, {
      signal: AbortSignal.timeout(2_000),
    }).catch(() => null);
    if (answer?.ok) return cluster.parse(await answer.json()).members;
  }
  return [];
}

async function leaderOf(nodes: readonly Node[]): Promise<Node> {
  const members = await membersOf(nodes);
  const leader = members.find(({ role }) => role === 'leader');
  const node = nodes.find(({ name }) => name === leader?.name);
  if (!node) throw new Error('There is no leader.');
  return node;
}

async function untilLed(
  nodes: readonly Node[],
  notBy: string,
  signal: AbortSignal,
): Promise<Takeover> {
  const from = performance.now();
  let leadsMs: number | null = null;
  while (!signal.aborted) {
    const members = await membersOf(nodes.filter(({ name }) => name !== notBy));
    const isLed = members.some(({ role, name }) => role === 'leader' && name !== notBy);
    if (isLed) leadsMs ??= performance.now() - from;
    if (isLed && members.some(({ role, name }) => role === 'sync_standby' && name !== notBy)) {
      return { leadsMs, followsMs: performance.now() - from };
    }
    await sleep(250);
  }
  return { leadsMs, followsMs: null };
}

/** How far behind the leader one that follows it may be. */
const nearBytes = 1_000_000;

async function untilWhole(nodes: readonly Node[], limitMs: number): Promise<void> {
  let seen: Members = [];
  for (const until = performance.now() + limitMs; performance.now() < until; ) {
    seen = await membersOf(nodes);
    // One that came back runs for a moment before it is rewound: it follows once it is on the leader's timeline.
    const leader = seen.find(({ role }) => role === 'leader');
    const following = seen.filter(
      ({ role, state, timeline, lag }) =>
        /^(running|streaming)$/.test(state) &&
        (role === 'leader' || (timeline === leader?.timeline && Number(lag) < nearBytes)),
    );
    const isFollowed = following.some(({ role }) => role === 'sync_standby');
    if (leader && isFollowed && following.length === nodes.length) return;
    await sleep(500);
  }
  throw new Error(`It did not become whole: ${JSON.stringify(seen)}.`);
}

/** The user and the database, as deploy/postgres/owner.sh makes them. */
async function makeDatabase(port: number, superuser: string, own: string): Promise<void> {
  const script = readFileSync(new URL('../../deploy/postgres/owner.sh', import.meta.url), 'utf8');
  const [, sql = ''] = /<<'SQL'\n([\s\S]*)\nSQL/.exec(script) ?? [];
  const [before = '', after = ''] = sql
    .replace('\\getenv password DATABASE_PASSWORD\n', '')
    .replace(":'password'", `'${own}'`)
    .split('\\connect headwater\n');
  for (const [database, statements] of [
    ['postgres', before],
    ['headwater', after],
  ] as const) {
    const client = new pg.Client({
      ...{ host: '127.0.0.1', port, user: 'postgres', password: superuser, database },
    });
    client.on('error', () => {});
    await client.connect();
    try {
      for (const statement of statements.split(/;\s*$/m)) {
        if (statement.trim() !== '') await client.query(statement);
      }
    } finally {
      await client.end();
    }
  }
}
