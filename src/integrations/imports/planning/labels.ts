// The tags that a source names: which ids they have, and which are new.

import type { Context } from '../../../context.ts';
import { rows } from '../../../database/rows.ts';
import { scratch } from '../../../database/scratch.ts';
import { conflict, invalidField } from '../../../errors.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import type { ExtractedResource } from '../../readers/extraction.ts';
import { IdSequence } from '../staging/id-sequence.ts';
import type { Stage } from '../staging/stage.ts';

/** Tags are for people to choose from: a source with more than this uses them for something else. */
const maxTags = 10_000;

/** What is known of the tags that an import has met. */
export class Labels {
  readonly #ctx: Context;
  readonly #ids: IdSequence;
  /** Id of the tag that each spelling names, and what a new tag is called. */
  readonly #tags = new Map<string, string>();
  readonly #newTags = new Map<string, { id: string; name: string }>();

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#ids = new IdSequence(ctx.now());
  }

  /** Look up what a batch names, so that `tagIds` answers for it. */
  async meet(batch: readonly ExtractedResource[]): Promise<void> {
    await this.#meetTags(unmet(batch, 'tags', this.#tags));
  }

  /** Ids of tags, in one order whatever the order of their names, so that equal sets are equal. */
  tagIds(names: readonly string[] | undefined): string[] | undefined {
    if (!names) return undefined;
    return [...new Set(names.flatMap((name) => this.#tags.get(name) ?? []))].sort();
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

  /**
   * Make the new tags, within the transaction of the merge, and hold all of them against deletion until
   * it ends. What happened to them since the file was read is made good in the staged resources and in
   * those that the merge has written. To be called late: who deletes one of them, or makes one of the
   * new names, waits for the end.
   */
  async settle(tx: Context, stage: Stage, integrationId: string): Promise<void> {
    if (this.#tags.size === 0) return;
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const found = await this.#hold(tx);
      const missing = found.filter(({ id }) => id === null);
      if (missing.length === 0) return this.#replace(tx, stage, integrationId, found);
      await this.#make(tx, integrationId, missing);
    }
    throw conflict('Other requests keep creating and deleting the tags of this import; try again.');
  }

  /**
   * Lock the tags that are there in one order, so that no two imports wait for each other. One that got
   * another name in the meantime is still the one that was meant.
   */
  async #hold(tx: Context): Promise<NamedTag[]> {
    const [names, expected] = [[...this.#tags.keys()], [...this.#tags.values()]];
    await rows(
      tx,
      Prisma.sql`select t.id from tag t where t.workspace_id = ${tx.workspaceId}::uuid
          and (lower(t.name) in (select lower(n) from unnest(${names}::text[]) n)
            or t.id = any(${expected}::uuid[]))
        order by t.id for key share`,
    );
    const there = await rows<{ id: string }>(
      tx,
      Prisma.sql`select t.id from tag t where t.workspace_id = ${tx.workspaceId}::uuid
        and t.id = any(${expected}::uuid[])`,
    );
    const ids = new Set(there.map(({ id }) => id));
    const found = await tagsNamed(tx, names);
    return found.map(({ name, folded, id }) => {
      const known = this.#tags.get(name) ?? '';
      return { name, folded, id: id ?? (ids.has(known) ? known : null) };
    });
  }

  /** Make tags; one that somebody makes at this moment is waited for, and not made again. */
  async #make(tx: Context, integrationId: string, missing: readonly NamedTag[]): Promise<void> {
    const made = new Map<string, { id: string; name: string }>();
    for (const { name, folded } of missing) {
      // The spelling that came first is the one that people will read.
      if (!made.has(folded)) made.set(folded, { id: this.#tags.get(name) ?? '', name });
    }
    const list = [...made.values()];
    await rows(
      tx,
      Prisma.sql`insert into tag (workspace_id, id, name, integration_id)
        select ${tx.workspaceId}::uuid, t.id, t.name, ${integrationId}::uuid
        from unnest(${list.map(({ id }) => id)}::uuid[], ${list.map(({ name }) => name)}::text[])
          t(id, name)
        order by lower(t.name) on conflict do nothing`,
    );
  }

  /** A tag that was made by others in the meantime takes the place of the one that was to be made. */
  async #replace(
    tx: Context,
    stage: Stage,
    integrationId: string,
    found: readonly NamedTag[],
  ): Promise<void> {
    const replaced = new Map<string, string>();
    for (const { name, id } of found) {
      const expected = this.#tags.get(name) ?? '';
      if (id !== null && id !== expected) replaced.set(expected, id);
    }
    for (const [before, after] of replaced) {
      const set = 'set tag_ids = array_replace(tag_ids, $1::uuid, $2::uuid)';
      const which = 'tag_ids @> array[$1::uuid]';
      await scratch(tx, `update ${stage.resources} ${set} where ${which}`, [before, after]);
      await scratch(
        tx,
        `update resource ${set}
          where workspace_id = $3::uuid and integration_id = $4::uuid and ${which}`,
        [before, after, tx.workspaceId, integrationId],
      );
    }
  }
}

/** Times that tags are made before an import gives up: once is enough, twice is rare. */
const maxAttempts = 5;

interface NamedTag {
  readonly name: string;
  readonly folded: string;
  readonly id: string | null;
}

// The database folds the names: its idea of small letters is the one that keeps tags unique.
function tagsNamed(ctx: Context, names: readonly string[]): Promise<NamedTag[]> {
  return scratch<NamedTag>(
    ctx,
    Prisma.sql`select n.name, lower(n.name) as folded,
        (select t.id from tag t where t.workspace_id = ${ctx.workspaceId}::uuid
          and lower(t.name) = lower(n.name)) as id
      from unnest(${[...names]}::text[]) n(name)`,
  );
}

/** Names in a batch that were not looked up yet, each once. */
export function unmet(
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
