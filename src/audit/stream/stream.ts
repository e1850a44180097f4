// Streams the audit log to the receiver that the operator names: in order, and each entry at least once.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../database/database.ts';
import { acrossWorkspaces } from '../../database/outside.ts';
import { messageOf } from '../../errors.ts';
import type { NetworkReach } from '../../network/reach.ts';
import type { AuditReceiver } from '../../surroundings.ts';
import { type ExportedEntry, readSealed } from '../export.ts';
import { findUnsent, giveLease, notePosition, takeLease } from './position.ts';
import { type AuditBatch, endOf, sendBatch } from './receiver.ts';

/** What streams, and where to. */
export interface AuditStreamOptions {
  readonly database: Database;
  readonly receiver: AuditReceiver;
  readonly reach: NetworkReach;
  /** Notified, in a sentence, when the receiver begins to fail, and when it takes entries again. */
  readonly onNotice: (message: string) => void;
  /** How often it looks for new entries, in milliseconds. */
  readonly everyMs?: number;
}

/** A stream that goes on until it is stopped. */
export interface AuditStream {
  /** Send nothing more; a batch under way has a few seconds to end. */
  stop(): Promise<void>;
}

const usualMs = 2_000;
const longestPauseMs = 60_000;
const graceMs = 5_000;
/** Characters of the lines that are sent together; one entry alone may have more. */
const maxBatch = 1_000_000;

/** Begin to stream. Of several processes one does; nothing that writes entries waits for it. */
export function startAuditStream(options: AuditStreamOptions): AuditStream {
  const { database, onNotice, everyMs = usualMs } = options;
  const holder = randomUUID();
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Ends a batch under way, some of which would be sent again. */
  const cutting = new AbortController();
  let failures = 0;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const pause = await step();
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
    await giveLease(database, holder).catch(() => {});
  }

  /** Send what comes next; for how long there is nothing to do then. */
  async function step(): Promise<number> {
    try {
      const isMore = await sendNext(options, holder, cutting.signal);
      if (failures > 0) onNotice('The receiver of the audit log takes entries again.');
      failures = 0;
      return isMore ? 0 : everyMs;
    } catch (error) {
      if (signal.aborted) return 0;
      if (failures === 0) {
        onNotice(
          `The audit log could not be sent to its receiver, and is tried again: ${messageOf(error)}.`,
        );
      }
      failures += 1;
      return Math.min(everyMs * 2 ** failures, longestPauseMs);
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      const late = setTimeout(() => cutting.abort(), graceMs);
      await running;
      clearTimeout(late);
    },
  };
}

/** Send the next entries where this process is the one to do it; whether there may be more. */
async function sendNext(
  { database, receiver, reach }: AuditStreamOptions,
  holder: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(await takeLease(database, holder))) return false;
  const unsent = await findUnsent(database);
  if (unsent === null) return false;
  const { workspaceId, after } = unsent;
  const entries = batchOf(await readSealed(acrossWorkspaces(database), workspaceId, after));
  if (entries === null) return false;
  const batch = { workspaceId, entries };
  await sendBatch(receiver, batch, reach, signal);
  await notePosition(database, holder, workspaceId, endOf(batch));
  return true;
}

function batchOf([first, ...others]: readonly ExportedEntry[]): AuditBatch['entries'] | null {
  if (!first) return null;
  let characters = first.line.length;
  const end = others.findIndex(({ line }) => {
    characters += line.length;
    return characters > maxBatch;
  });
  return [first, ...(end < 0 ? others : others.slice(0, end))];
}
