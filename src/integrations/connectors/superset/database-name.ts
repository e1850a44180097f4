// How the databases of Superset are called in the catalog.

/** What names of tables of a database begin with; a part that is undefined is not known, or is not used there. */
export interface DatabaseNames {
  readonly database: string | undefined;
  readonly schema: string | undefined;
}

/** Sources whose databases are schemas here. */
const withoutDatabase = ['mysql', 'mariadb', 'clickhouse', 'clickhousedb', 'hive', 'sqlite'];

/** The names of a database, by its kind and its address, in which the password is hidden. */
export function namesOf(backend: string, address: string | null | undefined): DatabaseNames {
  const [, authority = '', path = ''] =
    /^[a-z0-9+_.-]+:\/\/([^/?#]*)([^?#]*)/i.exec(address ?? '') ?? [];
  const [first, second] = path
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
  if (withoutDatabase.includes(backend)) return { database: undefined, schema: first };
  // Its project stands where others have their host.
  if (backend === 'bigquery') return { database: decoded(authority) || undefined, schema: first };
  return { database: first, schema: second };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
