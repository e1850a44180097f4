// In charge of what the gate of dear requests has to know of the server: its CPU time, its REST paths.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processesOf } from '../../test/database/server/place.ts';
import type { Started } from '../../test/started.ts';
import type { Places } from './values.ts';

/** CPU time of the server and of its database until now, in milliseconds, to 10 of them. */
export function cpuMsOf({ child }: Started, dataDir: string): number {
  const pids = [child.pid ?? 0, ...processesOf(join(dataDir, 'postgres-18'))];
  return pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
}

/** What a process took, with those it waited for; 0 for one that is no more. */
function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    // utime and stime, in ticks of 10 ms.
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      { readonly get?: { readonly parameters?: readonly { readonly name: string }[] } }
    >
  >;
}

/** Each path of REST that is read, with the largest page; places in it are filled with an id of what they are called after. */
export async function restRequests(address: string, places: Places): Promise<string[]> {
  const response = await fetch(`${address}/api/v1/openapi.json`);
  const { paths }: Document = await response.json();
  return Object.entries(paths).flatMap(([path, { get }]) => {
    if (!get) return [];
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => places(name));
    const isPaged = get.parameters?.some(({ name }) => name === 'page_size');
    const whole = filled.startsWith('/api/v1') ? filled : `/api/v1${filled}`;
    return [isPaged ? `${whole}?page_size=1000` : whole];
  });
}
