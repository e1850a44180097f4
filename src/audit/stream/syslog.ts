// Entries as syslog messages (RFC 5424) over TCP or TLS, each after its length (RFC 6587, RFC 5425).

import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { z } from 'zod';
import { findHost, type NetworkReach } from '../../network/reach.ts';
import type { ExportedEntry } from '../export.ts';

/** Entries, and where they go. */
export interface SyslogRequest {
  readonly url: URL;
  readonly batch: readonly ExportedEntry[];
  readonly reach: NetworkReach;
  readonly signal: AbortSignal;
}

/** Facility 13, the audit log; severity 6, which informs. */
const priority = 13 * 8 + 6;
/** What the header of a message has at most, of names in visible ASCII. */
const [maxHost, maxMessageId] = [255, 32];
/** So long a connection without an error is given to end by itself before we end it: it has no other way to refuse. */
const earlyMs = 100;

const entry = z.object({
  entry: z.object({ logged_at: z.string(), activity_type: z.string() }).nullable(),
});

/** A message, with its length in bytes before it. */
function frameOf({ line }: ExportedEntry): string {
  const { logged_at: at = '-', activity_type: activity = '-' } =
    entry.parse(JSON.parse(line)).entry ?? {};
  const header = [
    ...[`<${priority}>1`, at, visible(hostname(), maxHost), 'headwater', '-'],
    ...[visible(activity, maxMessageId), '-'],
  ];
  const message = `${header.join(' ')} ${line}`;
  return `${Buffer.byteLength(message)} ${message}`;
}

function visible(text: string, most: number): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '').slice(0, most) || '-';
}

/**
 * Send entries over a connection of their own. Syslog answers nothing: they count as received when the receiver has
 * closed the connection after we did, which it does once it has read to the end. Throws for everything else.
 */
export async function sendSyslog({ url, batch, reach, signal }: SyslogRequest): Promise<void> {
  const host = await findHost(url.hostname, reach);
  signal.throwIfAborted();
  const isSecure = url.protocol === 'syslogs:';
  const place = {
    ...{ host: host.address, port: Number(url.port || (isSecure ? 6514 : 601)) },
    allowHalfOpen: true,
  };
  const named = isIP(host.name) === 0 ? { servername: host.name } : {};
  const socket: Socket = isSecure ? connectTls({ ...place, ...named }) : connect(place);
  let isClosing = false;
  const failed = new Promise<never>((_, reject) => {
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection was lost')));
    socket.once('end', () => {
      if (!isClosing) reject(new Error('it closed the connection before it had everything'));
    });
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    await Promise.race([send(), failed]);
  } finally {
    failed.catch(() => {});
    socket.destroy();
  }

  async function send(): Promise<void> {
    await once(socket, isSecure ? 'secureConnect' : 'connect');
    // What it has to say is not for us, but its end comes after that.
    socket.resume();
    for (const one of batch) if (!socket.write(frameOf(one))) await once(socket, 'drain');
    await sleep(earlyMs, undefined, { signal });
    const ended = once(socket, 'end');
    isClosing = true;
    socket.end();
    await ended;
  }
}
