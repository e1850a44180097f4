// Where the databases lie that an import names: what people said, what the source is, or the one source that has them.

import type { Context } from '../../../context.ts';
import { scratch } from '../../../database/scratch.ts';
import {
  adapterOf,
  foldedName,
  ownAddress,
  unplacedAddress,
} from '../../../resources/identities/named-place.ts';
import type { Move } from '../../addresses/moves.ts';
import { decide, findCandidates, keyOf, type PlaceDecision } from './database-candidates.ts';
import type { Importing } from './importing.ts';

/** Where everything lies that an import names, and what that means for others. */
export interface Places {
  /** The address of each database, in small letters; null stands for names without one. */
  readonly addresses: ReadonlyMap<string | null, string>;
  /** What was found out, to be written with the import. */
  readonly decisions: readonly PlaceDecision[];
  /** The address of the source, where it is not written down yet. */
  readonly source: string | null;
  readonly moves: readonly Move[];
  /** What people should decide, a sentence each. */
  readonly problems: readonly string[];
}

interface Said {
  readonly database: string;
  readonly address: string;
  readonly origin: string;
}

/** Find out where the databases of `names` lie: staged databases, schemas and tables with their path. */
export async function findPlaces(
  ctx: Context,
  names: string,
  describer: Importing,
): Promise<Places> {
  const { integrationId, adapter, source } = describer;
  const known = await scratch<Said>(
    ctx,
    `select a.database, a.address, a.origin from integration_address a
      where a.workspace_id = $1::uuid and a.integration_id = $2::uuid`,
    [ctx.workspaceId, integrationId],
  );
  const told = describer.said?.map(({ database, address }) => ({
    ...{ database: database ?? '', address, origin: 'set' },
  }));
  const said = told ? [...told, ...known.filter(({ origin }) => origin !== 'set')] : known;
  const named = await scratch<{ database: string | null; tables: number }>(
    ctx,
    `select ${foldedName('p.database')} as database,
        (count(*) filter (where p.kind = 'table'))::integer as tables
      from ${names} p group by 1 order by 1`,
  );
  const recorded = said.find(({ database }) => database === '*');
  const own = ownAddress(integrationId);
  const isSet = recorded?.origin === 'set';
  const home = isSet ? recorded.address : (source ?? recorded?.address ?? own);
  const explicit = (database: string | null) =>
    said.find((one) => one.database === (database ?? ''))?.address ?? (recorded ? home : undefined);
  const open = named.flatMap(({ database }) =>
    adapter !== null && database !== null && explicit(database) === undefined ? [database] : [],
  );
  const databases = await knownDatabases(ctx);
  const found = await findCandidates(ctx, names, { describer, home, open, explicit });
  const { decisions, problems } = decide(found, describer, named, open);
  const decided = byDatabase([...databases, ...decisions]);
  const addressOf = lies(describer, said, home, decided);
  const was = known.find(({ database }) => database === '*');
  const formerly = lies(describer, known, was?.address ?? own, byDatabase(databases));
  const allBy = (at: (database: string | null) => string) =>
    atOthers(ctx, own, new Map(named.map(({ database }) => [database, at(database)])));
  const [addresses, before] = [await allBy(addressOf), await allBy(formerly)];
  const moves = [
    ...(await movesOf(ctx, describer, { known, said, was, home, addressOf, formerly })),
    ...named.flatMap(({ database }): Move[] => {
      const [from, to] = [before.get(database), addresses.get(database)];
      if (from === undefined || to === undefined || from === to) return [];
      return [{ from, database, to, namesOf: integrationId }];
    }),
    ...decisions.map((one) => ({
      ...{ from: unplacedAddress(one.adapter), database: one.database, to: one.address },
    })),
  ];
  return {
    addresses,
    decisions,
    source: !isSet && source !== null && recorded?.address !== source ? source : null,
    moves,
    problems: [
      ...problems,
      ...(await unconfirmed(ctx, open, adapter, decided)),
      ...nameless(named, adapter, explicit(null)),
    ],
  };
}

/** Where a database lies, by what is said of it, of all, or found out; files and sources lie at `home` else. */
function lies(
  { adapter, integrationId }: Importing,
  said: readonly Said[],
  home: string,
  decided: ReadonlyMap<string, string>,
): (database: string | null) => string {
  const isOfAll = adapter === null || said.some(({ database }) => database === '*');
  return (database) => {
    const single = said.find((one) => one.database === (database ?? ''))?.address;
    if (single !== undefined || isOfAll) return single ?? home;
    if (database === null) return ownAddress(integrationId);
    return decided.get(keyOf(adapter, database)) ?? unplacedAddress(adapter);
  };
}

/** The addresses, those of other integrations as these lie: what people said of them, or what their credentials say. */
async function atOthers(
  ctx: Context,
  own: string,
  addresses: ReadonlyMap<string | null, string>,
): Promise<ReadonlyMap<string | null, string>> {
  const others = [...new Set(addresses.values())].filter(
    (address) => address !== own && address.startsWith(ownAddress('')),
  );
  if (others.length === 0) return addresses;
  const found = await scratch<{ of: string; database: string; address: string }>(
    ctx,
    `select 'integration:' || a.integration_id as "of", a.database, a.address from integration_address a
      where a.workspace_id = $1::uuid and 'integration:' || a.integration_id = any($2::text[])`,
    [ctx.workspaceId, others],
  );
  const said = new Map(found.map((one) => [keyOf(one.of, one.database), one.address]));
  const lead = (database: string | null, address: string) =>
    said.get(keyOf(address, database ?? '')) ?? said.get(keyOf(address, '*')) ?? address;
  return new Map([...addresses].map(([name, address]) => [name, lead(name, address)]));
}

/** Let no other import find out where things lie until this transaction has ended. */
export async function holdPlaces(tx: Context): Promise<void> {
  await scratch(tx, "select pg_advisory_xact_lock(hashtext('places ' || $1))", [tx.workspaceId]);
}

/** Whether two looks found the same. */
export function samePlaces(one: Places, other: Places): boolean {
  const told = ({ addresses, decisions, moves }: Places) =>
    JSON.stringify([[...addresses], decisions, moves]);
  return told(one) === told(other);
}

const byDatabase = (found: readonly PlaceDecision[]): ReadonlyMap<string, string> =>
  new Map(found.map((one) => [keyOf(one.adapter, one.database), one.address]));

interface Moving {
  readonly known: readonly Said[];
  readonly said: readonly Said[];
  /** What was said before of all databases. */
  readonly was: Said | undefined;
  readonly home: string;
  readonly addressOf: (database: string) => string;
  readonly formerly: (database: string) => string;
}

/**
 * What moves along where a source lies somewhere else than before: all that lies there, for all who name it, unless others
 * say that they are there. Those who name what a source is reached by move with it.
 */
async function movesOf(
  ctx: Context,
  { integrationId, adapter }: Importing,
  { known, said, was, home, addressOf, formerly }: Moving,
): Promise<Move[]> {
  const before = was?.address ?? ownAddress(integrationId);
  const all = home === before ? [] : [{ from: before, database: null, to: home }];
  const names = [...known, ...said].map(({ database }) => database);
  const single = adapter === null ? names.filter((name) => !['*', ''].includes(name)) : [];
  const list = [...new Set(single)].map((database): Move => {
    const [from, to] = [formerly(database), addressOf(database)];
    return { from, database, to };
  });
  // What is said of a database holds it back where the others move.
  const wanted = [...all, ...list.filter(({ from, to }) => from !== to || from === before)];
  const origins = await scratch<{ address: string; reached: boolean }>(
    ctx,
    `select a.address, bool_or(a.origin = 'credentials') as reached from integration_address a
      where a.workspace_id = $1::uuid and a.integration_id <> $2::uuid and a.address = any($3::text[])
      group by a.address`,
    [ctx.workspaceId, integrationId, wanted.map(({ from }) => from)],
  );
  const isReached = was?.origin === 'credentials';
  return wanted.filter(({ from, database }) => {
    // What lies in another integration lies there, also for a source that says so no longer.
    if (from.startsWith(ownAddress(''))) return from === ownAddress(integrationId);
    const others = origins.find(({ address }) => address === from);
    if (!others) return true;
    return isReached && database === null && !others.reached;
  });
}

function knownDatabases(ctx: Context): Promise<PlaceDecision[]> {
  return scratch<PlaceDecision>(
    ctx,
    `select d.adapter, d.database, d.address from database_address d where d.workspace_id = $1::uuid`,
    [ctx.workspaceId],
  );
}

/** Databases that are taken for those of a source, and no one has confirmed it. */
async function unconfirmed(
  ctx: Context,
  open: readonly string[],
  adapter: string | null,
  decided: ReadonlyMap<string, string>,
): Promise<string[]> {
  if (adapter === null) return [];
  const taken = open.flatMap((database) => {
    const address = decided.get(keyOf(adapter, database));
    return address && adapterOf(address) === null ? [{ database, address }] : [];
  });
  if (taken.length === 0) return [];
  const owners = await sourcesAt(
    ctx,
    taken.map(({ address }) => address),
  );
  return taken.map(
    ({ database, address }) =>
      `The database ${database} is taken for that of ${owners.get(address) ?? address}, the only source with its schemas.`,
  );
}

/** What people call the sources at addresses. */
async function sourcesAt(ctx: Context, addresses: readonly string[]): Promise<Map<string, string>> {
  const found = await scratch<{ address: string; name: string }>(
    ctx,
    `select x.address, i.name from unnest($2::text[]) x(address)
      join integration i on i.workspace_id = $1::uuid and (
        split_part(x.address, '#', 1) = 'integration:' || i.id::text
        or exists (select from integration_address a where a.workspace_id = $1::uuid
          and a.integration_id = i.id and a.database = '*' and a.origin = 'credentials'
          and a.address = split_part(x.address, '#', 1)))
      order by i.created_at desc, i.id`,
    [ctx.workspaceId, [...addresses]],
  );
  return new Map(found.map(({ address, name }) => [address, name]));
}

/** Tables of a project that name no database belong to it alone, until people say where they lie. */
function nameless(
  named: readonly { readonly database: string | null; readonly tables: number }[],
  adapter: string | null,
  explicit: string | undefined,
): string[] {
  const tables = named.find(({ database }) => database === null)?.tables ?? 0;
  if (adapter === null || tables === 0 || explicit !== undefined) return [];
  const [are, they] = tables === 1 ? ['table names', 'it is'] : ['tables name', 'they are'];
  const lie = tables === 1 ? 'it lies' : 'they lie';
  return [
    `${tables} ${are} no database; ${they} kept apart from those of others. Say which database ${lie} in.`,
  ];
}
