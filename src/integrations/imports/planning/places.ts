// Where the databases lie that an import names: what people said, what the source is, or the one source that has them.

import type { Context } from '../../../context.ts';
import { scratch } from '../../../database/scratch.ts';
import {
  adapterOf,
  canHold,
  foldedName,
  ownAddress,
  unplacedAddress,
} from '../../addresses/address.ts';
import type { Move } from '../../addresses/moves.ts';
import type { AddressInput } from '../../addresses/set-addresses.ts';

/** The integration whose import it is, as far as that decides where its names lie. */
export interface Describer {
  readonly integrationId: string;
  readonly name: string;
  readonly type: string;
  /** The warehouse that a project is written for, empty where it does not say; null for what is no project. */
  readonly adapter: string | null;
  /** Whether it is synced with its source. */
  readonly isSynced: boolean;
  /** The address of its source, as its credentials say now; null where nothing does. */
  readonly source: string | null;
  /** What people say of where its databases lie, in place of what they said before; null leaves that alone. */
  readonly said: readonly AddressInput[] | null;
}

/** That a database which projects name without saying where it lies is the one at an address. */
export interface Decision {
  readonly adapter: string;
  readonly database: string;
  readonly address: string;
}

/** Where everything lies that an import names, and what that means for others. */
export interface Places {
  /** The address of each database, in small letters; null stands for names without one. */
  readonly addresses: ReadonlyMap<string | null, string>;
  /** What was found out, to be written with the import. */
  readonly decisions: readonly Decision[];
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
  describer: Describer,
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
  const before = recorded?.address ?? ownAddress(integrationId);
  const isSet = recorded?.origin === 'set';
  const home = isSet ? before : (source ?? before);
  const move = home === before ? [] : await moveOfSource(ctx, integrationId, before, home);
  const explicit = (database: string | null) =>
    said.find((one) => one.database === (database ?? ''))?.address ?? (recorded ? home : undefined);
  const open = named.flatMap(({ database }) =>
    adapter !== null && database !== null && explicit(database) === undefined ? [database] : [],
  );
  const databases = await knownDatabases(ctx);
  const found = await findCandidates(ctx, names, { describer, home, open, explicit });
  const { decisions, problems } = decide(found, describer, named, open);
  const decided = new Map(
    [...databases, ...decisions].map((one) => [keyOf(one.adapter, one.database), one.address]),
  );
  const addressOf = (database: string | null) => {
    if (adapter === null) return explicit(database) ?? home;
    if (database === null) return explicit(database) ?? ownAddress(integrationId);
    return explicit(database) ?? decided.get(keyOf(adapter, database)) ?? unplacedAddress(adapter);
  };
  const moves = [
    ...move,
    ...decisions.map((one) => ({
      ...{ from: unplacedAddress(one.adapter), database: one.database, to: one.address },
    })),
  ];
  return {
    addresses: new Map(named.map(({ database }) => [database, addressOf(database)])),
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

const keyOf = (adapter: string, database: string) => JSON.stringify([adapter, database]);

/** A source that is reached by another address than before moves as a whole, unless others are there. */
async function moveOfSource(
  ctx: Context,
  integrationId: string,
  from: string,
  to: string,
): Promise<Move[]> {
  const [other] = await scratch(
    ctx,
    `select from integration_address a where a.workspace_id = $1::uuid and a.address = $3
      and a.integration_id <> $2::uuid and a.origin = 'credentials' limit 1`,
    [ctx.workspaceId, integrationId, from],
  );
  return other ? [] : [{ from, database: null, to }];
}

function knownDatabases(ctx: Context): Promise<Decision[]> {
  return scratch<Decision>(
    ctx,
    `select d.adapter, d.database, d.address from database_address d where d.workspace_id = $1::uuid`,
    [ctx.workspaceId],
  );
}

interface Candidate extends Decision {
  /** The integrations that have schemas of the database there, by type and name. */
  readonly types: readonly string[];
  readonly names: readonly string[];
}

interface Names {
  readonly describer: Describer;
  readonly home: string;
  /** The databases of which nothing says where they lie. */
  readonly open: readonly string[];
  readonly explicit: (database: string | null) => string | undefined;
}

/**
 * The addresses at which warehouses or files have a schema of a database that projects name without saying where it
 * lies, as this import and the catalog say.
 */
async function findCandidates(
  ctx: Context,
  names: string,
  { describer, home, open }: Names,
): Promise<Candidate[]> {
  const { integrationId, adapter, type, name } = describer;
  const schemas = `select distinct ${foldedName('p.database')} as database, ${foldedName('p.title')} as schema
    from ${names} p where p.kind = 'schema' and p.database is not null`;
  const ofCatalog = `r.workspace_id = $1::uuid and r.kind = 'schema' and r.address is not null
    and r.database_name is not null`;
  return scratch<Candidate>(
    ctx,
    `with named as materialized (${schemas}),
      free as (
        select $4::text as adapter, n.database, n.schema from named n
          where $4::text is not null and n.database = any($5::text[])
        union select substr(r.address, length('${unplacedAddress('')}') + 1),
          ${foldedName('r.database_name')}, ${foldedName('r.title')}
        from resource r where ${ofCatalog} and starts_with(r.address, '${unplacedAddress('')}')),
      there as (
        select n.database, n.schema, $3::text as address, $6::text as type, $7::text as name from named n
          where $4::text is null
        union all select n.database, n.schema, '${unplacedAddress('')}' || $4, $6, $7 from named n
          where $4 <> '' and n.database = any($5::text[])
        union all select ${foldedName('r.database_name')}, ${foldedName('r.title')}, r.address, i.type, i.name
        from resource r join integration i on i.workspace_id = $1::uuid and i.id = r.integration_id
        where ${ofCatalog} and i.id <> $2::uuid and (i.type <> 'dbt_core'
          or starts_with(r.address, '${unplacedAddress('')}')))
      select f.adapter, f.database, t.address, array_agg(distinct t.type order by t.type) as types,
        array_agg(distinct t.name order by t.name) as names
      from free f join there t on t.database = f.database and t.schema = f.schema
        and t.address <> '${unplacedAddress('')}' || f.adapter
        and (f.adapter = '' or not starts_with(t.address, '${unplacedAddress('')}'))
      where not exists (select from database_address d where d.workspace_id = $1::uuid
        and d.adapter = f.adapter and d.database = f.database)
      group by f.adapter, f.database, t.address order by f.adapter desc, f.database, t.address`,
    [ctx.workspaceId, integrationId, home, adapter, [...open], type, name],
  );
}

/** A database that one source alone has is that one; where several do, people say which. */
function decide(
  candidates: readonly Candidate[],
  { adapter }: Describer,
  named: readonly { readonly database: string | null; readonly tables: number }[],
  open: readonly string[],
) {
  const suited = candidates.filter(({ types, adapter: of }) =>
    types.some((type) => type === 'dbt_core' || canHold(type, of)),
  );
  const ofProjects = grouped(suited.filter((one) => one.adapter !== ''));
  const decisions = ofProjects.flatMap((group) => (group.length === 1 ? group : []));
  // What people made by hand goes where the projects go that name it.
  const follow = (one: Candidate): Candidate => {
    const at = adapterOf(one.address);
    const next = decisions.find((other) => other.adapter === at && other.database === one.database);
    return next ? { ...one, address: next.address } : one;
  };
  const byHand = grouped(suited.filter((one) => one.adapter === '').map(follow));
  const problems = [...ofProjects, ...byHand].flatMap((group) => {
    const [first] = group;
    if (!first || group.length === 1 || first.adapter !== adapter) return [];
    if (!open.includes(first.database)) return [];
    const tables = named.find(({ database }) => database === first.database)?.tables ?? 0;
    const list = [...new Set(group.flatMap(({ names }) => names))].sort().join(', ');
    return [
      `The database ${first.database} is in ${group.length} sources (${list}): say which of them this project ` +
        `writes to. Its ${tables === 1 ? 'table stands' : `${tables} tables stand`} beside them.`,
    ];
  });
  return {
    decisions: [...decisions, ...byHand.flatMap((group) => (group.length === 1 ? group : []))],
    problems,
  };
}

/** The candidates of each database, each address once. */
function grouped(candidates: readonly Candidate[]): Candidate[][] {
  const groups = new Map<string, Candidate[]>();
  for (const one of candidates) {
    const key = keyOf(one.adapter, one.database);
    const group = groups.get(key) ?? [];
    if (!group.some(({ address }) => address === one.address)) group.push(one);
    groups.set(key, group);
  }
  return [...groups.values()];
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
export async function sourcesAt(
  ctx: Context,
  addresses: readonly string[],
): Promise<Map<string, string>> {
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
