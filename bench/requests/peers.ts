// Installs and starts what Headwater is compared with: PostGraphile, and a few routes written by hand.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../scripts/free-port.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const settleMs = 100;
const attempts = 600;

/** A server that answers requests, and whose CPU time can be determined. */
export interface Peer {
  readonly name: 'PostGraphile' | 'Fastify';
  readonly base: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Install the packages of the peers, where they aren't there yet; they are no part of the project's own. */
export function installPeers(): void {
  if (existsSync(`${folder}node_modules/.package-lock.json`)) return;
  console.error('Installing the peers ...');
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** PostGraphile 5 needs Node.js 22: one that comes as a package, where this one is older; null where none does. */
export function nodeOfPostgraphile(): string | null {
  const [major] = process.versions.node.split('.').map(Number);
  if ((major ?? 0) >= 22) return process.execPath;
  const packaged = `${folder}node_modules/node-${process.platform}-${process.arch}/bin/node`;
  return existsSync(packaged) ? packaged : null;
}

/** Start a peer on a database; `ready` is a path that it answers once it is. */
export async function startPeer(name: Peer['name'], url: string): Promise<Peer> {
  const isFastify = name === 'Fastify';
  const program = isFastify ? process.execPath : nodeOfPostgraphile();
  if (program === null) throw new Error('There is no Node.js 22 for PostGraphile on this machine.');
  const port = await freePort();
  const script = isFastify ? 'fastify.mjs' : 'postgraphile.mjs';
  const child = spawn(program, [script, url, String(port)], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', GRAPHILE_ENV: 'production' },
  });
  const ended = once(child, 'exit');
  const base = `http://127.0.0.1:${port}`;
  const asked = isFastify
    ? { path: '/trivial' }
    : { path: '/graphql', body: JSON.stringify({ query: '{ __typename }' }) };
  for (let attempt = 0; ; attempt += 1) {
    const headers = { 'content-type': 'application/json' };
    const sent = asked.body ? { method: 'POST', headers, body: asked.body } : {};
    const answer = await fetch(base + asked.path, sent).catch(() => null);
    if (answer?.ok) break;
    if (attempt > attempts || child.exitCode !== null) throw new Error(`${name} did not start.`);
    await new Promise((resolve) => setTimeout(resolve, settleMs));
  }
  return {
    name,
    base,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
