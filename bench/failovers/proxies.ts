// The ways to a node and from it, each through a proxy: cutting them off is a network that fails.

import { freePort } from '../../scripts/free-port.mjs';
import { openProxy, type Proxy as Road } from '../../test/database/proxy.ts';

/** A way on the loopback: where its end listens, and where others reach it. */
export interface Way {
  /** Port of the program at its end. */
  readonly port: number;
  /** Port of the proxy in front of it. */
  readonly through: number;
  readonly proxy: Road;
}

/** Make a way to a port; to a free one where none is given. */
export async function openWay(port?: number): Promise<Way> {
  const end = port ?? (await freePort());
  const proxy = await openProxy(`http://127.0.0.1:${end}`);
  return { port: end, through: Number(new URL(proxy.url).port), proxy };
}
