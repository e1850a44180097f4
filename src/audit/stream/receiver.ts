// Sends entries to the receiver that the operator names: a syslog server, or an address over HTTPS.

import { httpPost } from '../../network/http-post.ts';
import type { NetworkReach } from '../../network/reach.ts';
import { signedHeaders } from '../../network/signature.ts';
import type { AuditReceiver } from '../../surroundings.ts';
import type { ExportedEntry } from '../export.ts';
import { sendSyslog } from './syslog.ts';

/** How long one batch may take to be sent, in milliseconds. */
const sendingMs = 60_000;

/** Entries of one workspace that are sent together. */
export interface AuditBatch {
  readonly workspaceId: string;
  readonly entries: readonly [ExportedEntry, ...ExportedEntry[]];
}

/** The position of the last entry of a batch. */
export function endOf({ entries }: AuditBatch): number {
  return (entries.at(-1) ?? entries[0]).position;
}

/** Send entries, in their order. Throws where it is not certain that the receiver has all of them. */
export async function sendBatch(
  { url, secret }: AuditReceiver,
  batch: AuditBatch,
  reach: NetworkReach,
  stopping: AbortSignal,
): Promise<void> {
  const { workspaceId, entries } = batch;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(sendingMs)]);
  if (url.protocol.startsWith('syslog')) return sendSyslog({ url, batch: entries, reach, signal });
  const body = entries.map(({ line }) => `${line}\n`).join('');
  const id = `audit-${workspaceId}-${entries[0].position}-${endOf(batch)}`;
  const timestamp = Math.floor(Date.now() / 1_000);
  const { status } = await httpPost({
    ...{ url, body, reach, signal },
    headers: {
      ...(secret === null ? {} : signedHeaders([secret], { id, timestamp, body })),
      'content-type': 'application/x-ndjson',
      'user-agent': 'Headwater',
    },
  });
  if (status < 200 || status >= 300) throw new Error(`it answered ${status}`);
}
