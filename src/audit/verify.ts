// Verifies the audit log: whether the entries are those that were sealed, and in which one not.

import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { lastNumber, linkHash, rootOf, sealedContentHash } from './chain.ts';

/** An entry that is not as it was sealed; `changed` may also be its seal. */
export interface Broken {
  readonly workspaceId: string;
  readonly sequence: number;
  readonly entryId: string;
  readonly how: 'changed' | 'removed' | 'inserted' | 'removed with its seal';
  /** What the entry says of itself; null for one that is not there. */
  readonly says: string | null;
}

/** The chain of one workspace. */
export interface ChainReport {
  readonly workspaceId: string;
  readonly workspace: string;
  readonly sealed: number;
  /** Entries that are to be sealed yet, and when the oldest of them was written. */
  readonly unsealed: number;
  readonly unsealedSince: Date | null;
  /** Hash of the last link; null where nothing was sealed. */
  readonly head: string | null;
}

/** What a verification found. */
export interface Verification {
  readonly chains: readonly ChainReport[];
  readonly brokenCount: number;
  /** The first of them, in the order of the log. */
  readonly broken: readonly Broken[];
  /** Hashes that were asked for, and that no chain has. */
  readonly missing: readonly string[];
}

/** Entries that one statement reads. */
const batch = 2_000;
/** Broken entries that are listed one by one. */
const maxReported = 20;

/**
 * Compare every entry with its link, all as of one moment, in memory that does not grow with the log.
 * With `hashes`, those of links that were seen before, these are also looked for: a log whose end was cut off
 * is a chain as well, but not one with those links.
 */
export async function verifyLog(
  ctx: Context,
  { hashes = [] }: { readonly hashes?: readonly string[] } = {},
): Promise<Verification> {
  return transaction(
    ctx,
    async (tx) => {
      await rows(tx, 'set transaction isolation level repeatable read, read only');
      const [numbers] = await rows<Numbers>(
        tx,
        Prisma.sql`select coalesce((select max(sequence) from audit_seal), 0) as "sealedTo",
          ${lastNumber} as "givenTo" from audit_log_sequence_seq`,
      );
      if (!numbers) throw new Error('The audit log has no numbers.');
      const walk = openWalk(numbers, hashes);
      for (let after = -1; ; ) {
        const page = await readPage(tx, after);
        for (const row of page) walk.take(row);
        const last = page.at(-1);
        if (!last || page.length < batch) break;
        after = last.sequence;
      }
      return walk.end(await namesOfWorkspaces(tx));
    },
    { long: true },
  );
}

/** How far entries are sealed, and up to which number there can be any. */
interface Numbers {
  readonly sealedTo: number;
  readonly givenTo: number;
}

/** An entry next to its link; one of the two may be missing. */
interface Row {
  readonly sequence: number;
  readonly workspaceId: string;
  readonly entryId: string | null;
  readonly createdAt: Date | null;
  readonly content: string | null;
  readonly says: string | null;
  readonly position: number | null;
  readonly sealedId: string | null;
  readonly hash: string | null;
  readonly form: number | null;
  readonly sealedAt: Date | null;
}

/** A link as it is stored. */
interface Seal {
  readonly position: number;
  readonly hash: string;
  readonly form: number;
  readonly sealedAt: Date;
}

function sealOf({ position, hash, form, sealedAt }: Row): Seal | null {
  if (position === null || hash === null || form === null || sealedAt === null) return null;
  return { position, hash, form, sealedAt };
}

async function readPage(tx: Context, after: number): Promise<Row[]> {
  const next = (table: string) => Prisma.sql`(select sequence from ${Prisma.raw(table)}
    where sequence > ${after}::bigint order by sequence limit ${batch})`;
  return rows<Row>(
    tx,
    Prisma.sql`select p.sequence, coalesce(s.workspace_id, a.workspace_id) as "workspaceId",
        a.id as "entryId", a.created_at as "createdAt", a.event_blocks->0->>'value' as says,
        case when a.id is not null then ${sealedContentHash} end as content,
        s.position, s.entry_id as "sealedId", s.hash, s.form, s.sealed_at as "sealedAt"
      from (${next('audit_log')} union ${next('audit_seal')} order by 1 limit ${batch}) p
        left join audit_log a on a.sequence = p.sequence
        left join audit_seal s on s.sequence = p.sequence
      order by p.sequence`,
  );
}

interface Chain {
  position: number;
  hash: string;
  sealed: number;
  unsealed: number;
  unsealedSince: Date | null;
}

/** Goes along the chains of all workspaces at once, in the order of the log. */
function openWalk({ sealedTo, givenTo }: Numbers, wanted: readonly string[]) {
  const chains = new Map<string, Chain>();
  const broken: Broken[] = [];
  let brokenCount = 0;
  const missing = new Set(wanted);

  function chainOf(workspaceId: string): Chain {
    const known = chains.get(workspaceId);
    if (known) return known;
    const hash = rootOf(workspaceId);
    const chain = { position: 0, hash, sealed: 0, unsealed: 0, unsealedSince: null };
    chains.set(workspaceId, chain);
    return chain;
  }

  function report(row: Row, how: Broken['how']): void {
    brokenCount += 1;
    if (broken.length >= maxReported) return;
    const { workspaceId, sequence, says } = row;
    broken.push({ workspaceId, sequence, entryId: row.sealedId ?? row.entryId ?? '', how, says });
  }

  /** Follow a link, and report where it does not fit what is there or what comes before it. */
  function follow(chain: Chain, row: Row, seal: Seal): void {
    const { content } = row;
    const { position, hash } = seal;
    if (position !== chain.position + 1) report(row, 'removed with its seal');
    else if (content === null) report(row, 'removed');
    else if (linkHash({ ...seal, previous: chain.hash, content }) !== hash) report(row, 'changed');
    // The hash holds the id of the entry itself, and not that in the seal.
    else if (row.sealedId !== row.entryId) report(row, 'changed');
    missing.delete(hash);
    chain.position = position;
    chain.hash = hash;
    chain.sealed += 1;
  }

  return {
    take(row: Row): void {
      const chain = chainOf(row.workspaceId);
      const seal = sealOf(row);
      if (seal) follow(chain, row, seal);
      else if (row.sequence <= sealedTo || row.sequence > givenTo) report(row, 'inserted');
      else {
        chain.unsealed += 1;
        chain.unsealedSince ??= row.createdAt;
      }
    },
    end(names: ReadonlyMap<string, string>): Verification {
      const reports = [...chains].map(([workspaceId, chain]) => ({
        workspaceId,
        workspace: names.get(workspaceId) ?? '',
        sealed: chain.sealed,
        unsealed: chain.unsealed,
        unsealedSince: chain.unsealedSince,
        head: chain.sealed > 0 ? chain.hash : null,
      }));
      return { chains: reports, brokenCount, broken, missing: [...missing] };
    },
  };
}

async function namesOfWorkspaces(tx: Context): Promise<ReadonlyMap<string, string>> {
  const found = await rows<{ id: string; name: string }>(
    tx,
    Prisma.sql`select w.id, w.name from workspace w`,
  );
  return new Map(found.map(({ id, name }) => [id, name]));
}
