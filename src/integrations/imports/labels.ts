// In charge of the tags and owners that a source names: which ids they have, and making new tags.

import type { Context } from '../../context.ts';
import { execute, rows } from '../../database/rows.ts';
import { scratch } from '../../database/scratch.ts';
import { invalidField } from '../../errors.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { ExtractedResource } from '../extraction.ts';
import { IdSequence } from './id-sequence.ts';
import type { Stage } from './stage.ts';

/** Tags are for people to choose from: a source with more than this uses them for something else. */
const maxTags = 10_000;
/** Addresses are remembered so many at a time. */
const maxPeople = 50_000;

/** What is known of the tags and people that an import has met. */
export class Labels {
  readonly #ctx: Context;
  readonly #ids: IdSequence;
  /** Id of the tag that each spelling names, and what a new tag is called. */
  readonly #tags = new Map<string, string>();
  readonly #newTags = new Map<string, { id: string; name: string }>();
  readonly #people = new Map<string, string | null>();
  #unknownOwners = 0;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#ids = new IdSequence(ctx.now());
  }

  /** Owners named that are no users of the workspace. */
  get unknownOwners(): number {
    return this.#unknownOwners;
  }

  /** Look up what a batch names, so that `tagIds` and `ownerIds` answer for it. */
  async meet(batch: readonly ExtractedResource[]): Promise<void> {
    await this.#meetTags(unmet(batch, 'tags', this.#tags));
    if (this.#people.size > maxPeople) this.#people.clear();
    await this.#meetPeople(unmet(batch, 'owners', this.#people));
  }

  /** Ids of tags, in one order whatever the order of their names, so that equal sets are equal. */
  tagIds(names: readonly string[] | undefined): string[] | undefined {
    if (!names) return undefined;
    return [...new Set(names.flatMap((name) => this.#tags.get(name) ?? []))].sort();
  }

  ownerIds(emails: readonly string[] | undefined): string[] | undefined {
    if (!emails) return undefined;
    const ids = emails.flatMap((email) => this.#people.get(email) ?? []);
    this.#unknownOwners += emails.length - ids.length;
    return [...new Set(ids)].sort();
  }

  async #meetTags(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    for (const { name, folded, id } of await tagsNamed(this.#ctx, names)) {
      const made = this.#newTags.get(folded);
      if (id === null && !made) this.#newTags.set(folded, { id: this.#ids.next(), name });
      this.#tags.set(name, id ?? this.#newTags.get(folded)?.id ?? '');
    }
    if (this.#tags.size <= maxTags) return;
    throw invalidField('tags', `A source can name ${maxTags} different tags at most.`);
  }

  async #meetPeople(emails: readonly string[]): Promise<void> {
    if (emails.length === 0) return;
    const found = await rows<{ email: string; id: string | null }>(
      this.#ctx,
      Prisma.sql`select e.email, u.id from unnest(${[...emails]}::text[]) e(email)
        left join user_account u on u.workspace_id = ${this.#ctx.workspaceId}::uuid
          and lower(u.email) = lower(e.email) and not u.archived`,
    );
    for (const { email, id } of found) this.#people.set(email, id);
  }

  /**
   * Make the new tags, within the transaction of the merge, and hold all of them until it ends. What
   * happened to them since the file was read is made good in the staged resources.
   */
  async settle(tx: Context, stage: Stage, integrationId: string): Promise<void> {
    if (this.#tags.size === 0) return;
    await rows(
      tx,
      Prisma.sql`select pg_advisory_xact_lock(hashtext(${`tag ${tx.workspaceId}`}))::text`,
    );
    const now = new Map<string, string>();
    const missing = new Map<string, { id: string; name: string }>();
    for (const { name, folded, id } of await tagsNamed(tx, [...this.#tags.keys()], true)) {
      const expected = this.#tags.get(name) ?? '';
      if (id !== null) {
        if (id !== expected) now.set(expected, id);
      } else if (!missing.has(folded)) {
        // The spelling that came first is the one that people will read.
        missing.set(folded, { id: expected, name });
      }
    }
    const made = [...missing.values()];
    await execute(
      tx,
      Prisma.sql`insert into tag (workspace_id, id, name, integration_id)
        select ${tx.workspaceId}::uuid, t.id, t.name, ${integrationId}::uuid
        from unnest(${made.map(({ id }) => id)}::uuid[], ${made.map(({ name }) => name)}::text[])
          t(id, name)`,
    );
    for (const [before, after] of now) {
      await scratch(
        tx,
        `update ${stage.resources} set tag_ids = array_replace(tag_ids, $1::uuid, $2::uuid)
          where tag_ids @> array[$1::uuid]`,
        [before, after],
      );
    }
  }
}

// The database folds the names: its idea of small letters is the one that keeps tags unique.
function tagsNamed(ctx: Context, names: readonly string[], hold = false) {
  return rows<{ name: string; folded: string; id: string | null }>(
    ctx,
    Prisma.sql`select n.name, lower(n.name) as folded,
        (select t.id from tag t where t.workspace_id = ${ctx.workspaceId}::uuid
          and lower(t.name) = lower(n.name) ${hold ? Prisma.sql`for share` : Prisma.empty}) as id
      from unnest(${[...names]}::text[]) n(name)`,
  );
}

/** Names in a batch that were not looked up yet, each once. */
function unmet(
  batch: readonly ExtractedResource[],
  field: 'tags' | 'owners',
  known: ReadonlyMap<string, unknown>,
): string[] {
  const names = new Set<string>();
  for (const resource of batch) {
    for (const name of resource[field] ?? []) if (!known.has(name)) names.add(name);
  }
  return [...names];
}
