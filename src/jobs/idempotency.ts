// Idempotency keys: a write that a client sends again gets the first answer, which is stored in the same transaction.

import type { ServerContext } from '../context.ts';
import { type Connection, execute, rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { CatalogError, invalidField } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { seal, unseal } from '../secrets/envelope.ts';
import { isStorable } from '../text/text.ts';
import { inBatches } from './hourly.ts';

/** The answer of a write, as it is sent. */
export interface KeptAnswer {
  readonly status: number;
  readonly body: string | null;
  /** Set for the answer of a request before, given once more. */
  readonly isReplay?: true;
}

/** Says of an answer that it is given once more. */
export const replayHeader: readonly [name: string, value: string] = ['idempotent-replayed', 'true'];

/** A key, and the digest of the request that it came with. */
export interface KeyedRequest {
  readonly key: string;
  readonly fingerprint: string;
}

const maxKeyLength = 255;
const keyForm = new RegExp(`^[\\x21-\\x7e]{1,${maxKeyLength}}$`);

/** The key that a header `Idempotency-Key` holds; undefined without one. Throws BAD_REQUEST where it is none. */
export function idempotencyKeyIn(header: string | null): string | undefined {
  if (header === null) return undefined;
  if (keyForm.test(header)) return header;
  throw invalidField('Idempotency-Key', `Use 1 to ${maxKeyLength} visible ASCII characters.`);
}

/** A key counts for a day, as clients of such keys expect. */
const keptFor = '24 hours';

/**
 * Run an effect once for each key of a user: its row is written in the transaction of the effect, so
 * that either both are there or none is. Equal requests at the same time wait for the first and get
 * its answer, which is sealed: it may hold a key that is shown only once. Throws UNPROCESSABLE where the key was used
 * for another request; an effect that throws leaves the key free.
 */
export async function once<C extends ServerContext>(
  ctx: C,
  { key, fingerprint }: KeyedRequest,
  effect: (ctx: C) => Promise<KeptAnswer>,
): Promise<KeptAnswer> {
  if (key.length > maxKeyLength || !isStorable(key)) {
    throw invalidField('Idempotency-Key', `Use text of at most ${maxKeyLength} characters.`);
  }
  return transaction(ctx, async (tx) => {
    const mine = Prisma.sql`workspace_id = ${ctx.workspaceId}::uuid
      and user_id = ${ctx.viewer.id}::uuid and key = ${key}`;
    await rows(
      tx,
      Prisma.sql`delete from idempotency_key where ${mine}
        and created_at < now() - ${keptFor}::interval`,
    );
    const taken = await rows(
      tx,
      Prisma.sql`insert into idempotency_key (workspace_id, user_id, key, fingerprint)
        values (${ctx.workspaceId}::uuid, ${ctx.viewer.id}::uuid, ${key}, ${fingerprint})
        on conflict do nothing returning key`,
    );
    const owner = `answer ${ctx.workspaceId} ${ctx.viewer.id} ${key}`;
    if (taken.length === 0) return replay(tx, { mine, owner, fingerprint });
    const { status, body } = await effect(tx);
    const [master] = ctx.surroundings.masterKeys();
    const sealed = body === null ? null : seal(master, owner, body);
    await rows(
      tx,
      Prisma.sql`update idempotency_key set status = ${status}, body = ${sealed} where ${mine}`,
    );
    return { status, body };
  });
}

interface Replay {
  /** Holds for the row of the key. */
  readonly mine: Prisma.Sql;
  /** Whose the sealed answer is. */
  readonly owner: string;
  readonly fingerprint: string;
}

async function replay(
  ctx: ServerContext,
  { mine, owner, fingerprint }: Replay,
): Promise<KeptAnswer> {
  const [kept] = await rows<KeptAnswer & { fingerprint: string }>(
    ctx,
    Prisma.sql`select status, body, fingerprint from idempotency_key where ${mine}`,
  );
  if (!kept) throw new CatalogError('CONFLICT', 'The Idempotency-Key was just used; try again.');
  if (kept.fingerprint === fingerprint) {
    if (kept.body === null) return { status: kept.status, body: null, isReplay: true };
    const body = unseal(ctx.surroundings.masterKeys(), owner, kept.body);
    if (body !== null) return { status: kept.status, body, isReplay: true };
    throw new CatalogError(
      'CONFLICT',
      'The request was done, but its answer was sealed under another master key: look up what it made.',
    );
  }
  throw new CatalogError(
    'UNPROCESSABLE',
    'This Idempotency-Key came with another request before; use a new key for a new request.',
  );
}

/** Delete the keys that count no more, with the answers that were kept with them; answers how many. */
export function forgetKeys(db: Connection): Promise<number> {
  return inBatches((most) =>
    execute(
      db,
      Prisma.sql`delete from idempotency_key k using (
          select o.workspace_id, o.user_id, o.key from idempotency_key o
          where o.created_at < now() - ${keptFor}::interval
          limit ${most} for update of o skip locked) old
        where k.workspace_id = old.workspace_id and k.user_id = old.user_id and k.key = old.key`,
    ),
  );
}
