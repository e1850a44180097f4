// How the packaged server is reached: its address, with the password that only we know.

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { clusterName, writePrivate } from './cluster.ts';
import { role, setUpStatements } from './set-up.ts';
import { isSocketPath, socketPort } from './socket.ts';

const accessShape = z.object({
  password: z.string().min(1),
  /** The TCP port on the loopback; null where a unix socket in the server's folder serves. */
  port: z.number().int().nullable(),
  /** What the superuser has set up, as the statements for it; none in a folder of before there were any. */
  setUp: z.array(z.string()).default([]),
});

/** What one needs to know to reach the server. */
export type Access = z.infer<typeof accessShape>;

const fileName = 'postgres-access.json';

/** The access that was stored; null where there is none, because there is no database yet. Throws where it is damaged. */
export function readAccess(dataDir: string): Access | null {
  const file = join(dataDir, fileName);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  try {
    return accessShape.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(
      `${file} is damaged. Delete it: the next start makes another, with a new password.`,
      {
        cause: error,
      },
    );
  }
}

/** Make an access for a new database. */
export async function makeAccess(dataDir: string): Promise<Access> {
  const port = servesSocket(dataDir) ? null : await freePort(0);
  return { password: randomBytes(24).toString('base64url'), port, setUp: [...setUpStatements] };
}

/** The access as it holds here: the folder may have been moved to where a socket serves, or none does. */
export async function adapted(dataDir: string, access: Access): Promise<Access> {
  if (servesSocket(dataDir)) return { ...access, port: null };
  return { ...access, port: await freePort(access.port ?? 0) };
}

/** Store the access; only the owner of the data folder may read it. */
export function storeAccess(dataDir: string, access: Access): void {
  writePrivate(join(dataDir, fileName), `${JSON.stringify(access)}\n`);
}

/** PostgreSQL's own name for the socket in its folder. */
const socketFile = `.s.PGSQL.${socketPort}`;

function servesSocket(dataDir: string): boolean {
  return isSocketPath(join(dataDir, clusterName, socketFile));
}

/** The address of a database of the server, for programs of ours, psql and pg_dump alike. */
export function addressOf(dataDir: string, { password, port }: Access, database = role): string {
  const login = `postgresql://${role}:${password}@`;
  if (port !== null) return `${login}127.0.0.1:${port}/${database}`;
  return `${login}localhost:${socketPort}/${database}?host=${encodeURIComponent(join(dataDir, clusterName))}`;
}

/** A port of the loopback that no one listens on now: the wanted one, if possible; 0 for any. */
function freePort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => (wanted === 0 ? reject(error) : resolve(freePort(0))));
    probe.listen(wanted, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
