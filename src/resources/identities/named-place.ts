// Addresses: where databases, schemas and tables lie, and what makes two names one thing.

import { noneOfALine } from '../../text/text.ts';

/** The kinds of resources that have an address, the outermost first; columns are told apart within their table. */
export const placedKinds = ['database', 'schema', 'table'] as const;

/** The same, as a list in SQL. */
export const placedKindList = placedKinds.map((kind) => `'${kind}'`).join(', ');

/** The names of something that has an address, as expressions in SQL. */
export interface PlacedNames {
  readonly kind: string;
  readonly database: string;
  readonly schema: string;
  readonly title: string;
  /** Whether only the exact spelling of the title means it. */
  readonly variant?: string;
}

/** A name with the letters A to Z made small, in SQL: other letters are different in some sources. */
export function foldedName(name: string): string {
  return `lower(${name} collate "C")`;
}

/** The same of a value. */
export function foldName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** What is equal of all that names one thing, in SQL: a hash of its address, kind and names. */
export function identityOf(address: string, names: PlacedNames): string {
  return identityOfPath(pathOf(address, names));
}

/** The same of what `pathOf` says. */
export function identityOfPath(path: string): string {
  return `md5((${path})::text)::uuid`;
}

/** The address, kind and folded names of something, as a list in SQL. */
export function pathOf(address: string, { variant, ...names }: PlacedNames): string {
  const title =
    variant === undefined
      ? foldedName(names.title)
      : `case when ${variant} then ${names.title} else ${foldedName(names.title)} end`;
  const parts = [address, names.kind, foldedName(names.database), foldedName(names.schema), title];
  // A list and no joined text: a name may hold any separator. A variant is never equal to a folded name.
  const list = [...parts, ...(variant === undefined ? [] : [`case when ${variant} then true end`])];
  return `case when ${variant ?? 'false'} then jsonb_build_array(${list.join(', ')})
    else jsonb_build_array(${parts.join(', ')}) end`;
}

/** The names of a resource, alias `r`, that has an address. */
export function placedNames(r: string): PlacedNames {
  return {
    kind: `${r}.kind`,
    database: `case ${r}.kind when 'database' then null else ${r}.database_name end`,
    schema: `case ${r}.kind when 'table' then ${r}.schema_name end`,
    title: `${r}.title`,
    variant: `${r}.variant`,
  };
}

/** The database of a resource, alias `r`, that has an address: itself, where it is one. */
export function databaseOfPlaced(r: string): string {
  return `case ${r}.kind when 'database' then ${r}.title else ${r}.database_name end`;
}

/** The address of all that an integration names and nothing says to lie elsewhere. */
export function ownAddress(integrationId: string): string {
  return `integration:${integrationId}`;
}

const unplacedScheme = 'unplaced:';

/** The address of the databases that projects for a warehouse name without saying where they lie. */
export function unplacedAddress(adapter: string): string {
  return unplacedScheme + adapter;
}

/** The adapter of an address of `unplacedAddress`; null for any other. */
export function adapterOf(address: string): string | null {
  return address.startsWith(unplacedScheme) ? address.slice(unplacedScheme.length) : null;
}

/** Names of warehouses that are one: what a project for one of them writes, the other can hold. */
const families: Readonly<Record<string, string>> = {
  mariadb: 'mysql',
  databricks: 'spark',
  databricks_sql: 'spark',
  fabric: 'sqlserver',
  synapse: 'sqlserver',
  mssql: 'sqlserver',
  presto: 'trino',
  starburst: 'trino',
  postgresql: 'postgres',
};

/** The family of warehouses that the adapter of a project, or the type of an integration, belongs to. */
export function adapterFamily(name: string | null | undefined): string {
  const known = (name ?? '').toLowerCase();
  return families[known] ?? known;
}

/** Whether a source of a type can hold what projects for a warehouse write; of files nothing is known. */
export function canHold(type: string, adapter: string): boolean {
  return adapter === '' || type === 'custom' || adapterFamily(type) === adapter;
}

/** The title of what its source gives none, by an expression of its key. */
export const keyInOneLine = (key: string) =>
  `coalesce(nullif(trim(regexp_replace(${key}, '${noneOfALine}+', ' ', 'g')), ''), '?')`;
