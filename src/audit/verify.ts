// Verifies the audit log: whether the entries are those that were sealed, and in which one not.

import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { lastNumber, linkHash, numbers, rootOf, sealedContentHash } from './chain.ts';

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
  /** Entries before these, which are in an archive. */
  readonly cut: number;
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
  /** The first of them, workspace by workspace. */
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
export async function verifyLog(ctx: Context, wanted: LogQuery = {}): Promise<Verification> {
  return transaction(
    ctx,
    async (tx) => {
      await rows(tx, 'set transaction isolation level repeatable read, read only');
      return verifyWithin(tx, wanted);
    },
    { long: true },
  );
}

/** What a verification is asked for. */
export interface LogQuery {
  /** Hashes of links that were seen before. */
  readonly hashes?: readonly string[];
  /** The only workspace whose log is of interest; all that the context shows where absent. */
  readonly workspaceId?: string;
}

/** Verify like `verifyLog` in the transaction that the context is in, which may have written some of it. */
export async function verifyWithin(
  tx: Context,
  { hashes = [], workspaceId }: LogQuery,
): Promise<Verification> {
  const [last] = await rows<{ givenTo: number }>(
    tx,
    Prisma.sql`select ${lastNumber} as "givenTo" from ${numbers}`,
  );
  if (!last) throw new Error('The audit log has no numbers.');
  const walk = openWalk(last.givenTo, hashes);
  for (const workspace of await readWorkspaces(tx)) {
    if (workspaceId === undefined || workspace.id === workspaceId) {
      await walkLog(tx, workspace, walk);
    }
  }
  return walk.end();
}

/** A workspace, and up to which number its entries are sealed. */
interface Logged {
  readonly id: string;
  readonly name: string;
  readonly sealedTo: number;
  /** The link that the kept entries follow on, where others before it are in an archive. */
  readonly cut: Begin | null;
}

/** Where a chain begins that was cut. */
interface Begin {
  readonly position: number;
  readonly sequence: number;
  readonly hash: string;
  readonly entryId: string;
  /** Whether an entry of the log says that it was cut there. */
  readonly isSaid: boolean;
}

/** The workspaces that the context shows, the oldest first. */
async function readWorkspaces(tx: Context): Promise<Logged[]> {
  return rows<Logged>(
    tx,
    Prisma.sql`select w.id, w.name, coalesce((select max(s.sequence) from audit_seal s
        where s.workspace_id = w.id), 0) as "sealedTo",
        (select jsonb_build_object('position', s.position, 'sequence', s.sequence, 'hash', s.hash,
            'entryId', s.entry_id, 'isSaid', exists (select from audit_log a where a.workspace_id = w.id
              and a.activity_type = 'audit_log_cut' and a.sequence > s.sequence
              and a.changes @> jsonb_build_array(jsonb_build_object('field', 'head', 'after', s.hash))))
          from audit_cut c join audit_seal s on s.workspace_id = c.workspace_id and s.position = c.position
          where c.workspace_id = w.id) as cut
      from workspace w order by w.created_at, w.id`,
  );
}

/** Go along the entries of a workspace. */
async function walkLog(tx: Context, workspace: Logged, walk: Walk): Promise<void> {
  const take = walk.begin(workspace);
  for (let after = workspace.cut?.sequence ?? -1; ; ) {
    const page = await readPage(tx, workspace.id, after);
    for (const row of page) take(row);
    const last = page.at(-1);
    if (!last || page.length < batch) return;
    after = last.sequence;
  }
}

/** An entry next to its link; one of the two may be missing. */
interface Row {
  readonly sequence: number;
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

async function readPage(tx: Context, workspaceId: string, after: number): Promise<Row[]> {
  const id = Prisma.sql`${workspaceId}::uuid`;
  const next = (table: string) => Prisma.sql`(select sequence from ${Prisma.raw(table)}
    where workspace_id = ${id} and sequence > ${after}::bigint order by sequence limit ${batch})`;
  return rows<Row>(
    tx,
    Prisma.sql`select p.sequence, a.id as "entryId", a.created_at as "createdAt",
        a.event_blocks->0->>'value' as says,
        case when a.id is not null then ${sealedContentHash} end as content,
        s.position, s.entry_id as "sealedId", s.hash, s.form, s.sealed_at as "sealedAt"
      from (${next('audit_log')} union ${next('audit_seal')} order by 1 limit ${batch}) p
        left join audit_log a on a.workspace_id = ${id} and a.sequence = p.sequence
        left join audit_seal s on s.workspace_id = ${id} and s.sequence = p.sequence
      order by p.sequence`,
  );
}

/** What was found of the log of a workspace so far. */
interface Chain {
  readonly workspace: Logged;
  position: number;
  hash: string;
  sealed: number;
  unsealed: number;
  unsealedSince: Date | null;
}

interface Walk {
  /** Begin with the log of a workspace; what takes its entries in their order. */
  begin(workspace: Logged): (row: Row) => void;
  end(): Verification;
}

/** Goes along the chains of workspaces, one after the other. */
function openWalk(givenTo: number, wanted: readonly string[]): Walk {
  const chains: Chain[] = [];
  const broken: Broken[] = [];
  let brokenCount = 0;
  const missing = new Set(wanted);

  function report({ workspace }: Chain, row: Row, how: Broken['how']): void {
    brokenCount += 1;
    if (broken.length >= maxReported) return;
    const { sequence, says } = row;
    const entryId = row.sealedId ?? row.entryId ?? '';
    broken.push({ workspaceId: workspace.id, sequence, entryId, how, says });
  }

  /** Follow a link, and report where it does not fit what is there or what comes before it. */
  function follow(chain: Chain, row: Row, seal: Seal): void {
    const { content } = row;
    const { position, hash } = seal;
    if (position !== chain.position + 1) report(chain, row, 'removed with its seal');
    else if (content === null) report(chain, row, 'removed');
    else if (linkHash({ ...seal, previous: chain.hash, content }) !== hash)
      report(chain, row, 'changed');
    // The hash holds the id of the entry itself, and not that in the seal.
    else if (row.sealedId !== row.entryId) report(chain, row, 'changed');
    missing.delete(hash);
    chain.position = position;
    chain.hash = hash;
    chain.sealed += 1;
  }

  function take(chain: Chain, row: Row): void {
    const seal = sealOf(row);
    if (seal) follow(chain, row, seal);
    else if (row.sequence <= chain.workspace.sealedTo || row.sequence > givenTo)
      report(chain, row, 'inserted');
    else {
      chain.unsealed += 1;
      chain.unsealedSince ??= row.createdAt;
    }
  }

  return {
    begin(workspace) {
      const { cut } = workspace;
      const root = { position: 0, hash: rootOf(workspace.id) };
      const { position, hash } = cut ?? root;
      const chain: Chain = {
        ...{ workspace, position, hash },
        ...{ sealed: 0, unsealed: 0, unsealedSince: null },
      };
      chains.push(chain);
      missing.delete(hash);
      // Who cuts says so in the log itself, which is sealed.
      if (cut && !cut.isSaid) {
        brokenCount += 1;
        const { sequence, entryId } = cut;
        const how = 'removed with its seal';
        broken.push({ workspaceId: workspace.id, sequence, entryId, how, says: null });
      }
      return (row) => take(chain, row);
    },
    end() {
      const reports = chains
        .filter(({ sealed, unsealed }) => sealed + unsealed > 0)
        .map(({ workspace, position: _, hash, ...counted }) => ({
          workspaceId: workspace.id,
          workspace: workspace.name,
          cut: workspace.cut?.position ?? 0,
          ...counted,
          head: counted.sealed > 0 ? hash : null,
        }));
      return { chains: reports, brokenCount, broken, missing: [...missing] };
    },
  };
}
