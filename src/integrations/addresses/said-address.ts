// What people say of where a database lies.

import { invalidField } from '../../errors.ts';
import { adapterOf } from '../../resources/identities/named-place.ts';
import { checkText } from '../../text/text.ts';
import { serverAddress } from '../connectors/source-address.ts';

/** Where a database lies. */
export interface AddressInput {
  /** The database; `*` for all that are not named one by one, null for tables that name none. */
  readonly database?: string | null | undefined;
  readonly address: string;
  /** The database in which tables lie that name none. */
  readonly becomes?: string | null | undefined;
}

const longest = 1_000;

/** Schemes of servers as addresses spell them, with the port that is meant where none is said. */
const servers: Readonly<Record<string, readonly [scheme: string, port: number | null]>> = {
  postgres: ['postgres', 5432],
  postgresql: ['postgres', 5432],
  redshift: ['redshift', 5439],
  mysql: ['mysql', 3306],
  mariadb: ['mysql', 3306],
  // These have one port for each way to connect.
  clickhouse: ['clickhouse', null],
  trino: ['trino', null],
};

/**
 * An address as all who connect there spell it. Throws BAD_REQUEST for what is none, and for one with a login or a path,
 * without repeating it.
 */
export function parseAddress(field: string, given: string): string {
  const text = checkText(field, given).trim();
  const [, scheme, rest] = /^([a-z][a-z0-9_+]*)(?::(.*))?$/is.exec(text) ?? [];
  if (scheme === undefined || text.length > longest || adapterOf(text.toLowerCase()) !== null) {
    throw invalidField(
      field,
      'Use an address such as postgres://db.example.com:5432, or that of another integration.',
    );
  }
  const name = scheme.toLowerCase();
  if (name === 'integration') return text.toLowerCase();
  const server = servers[name];
  const [, host, port, cluster] =
    /^\/\/(\[[0-9a-f:.]+\]|[^\s/@?#:]+)(?::(\d{1,5}))?\/?(#.*)?$/i.exec(rest ?? '') ?? [];
  if (!server) {
    if (/^\/\/[^/]*@/.test(rest ?? '')) throw withoutLogin(field);
    return rest === undefined ? name : `${name}:${rest}`;
  }
  if (host === undefined) throw withoutLogin(field);
  const [spelled, usual] = server;
  const number = port === undefined ? usual : Number(port);
  if (number === null) throw invalidField(field, `Say its port, such as ${spelled}://host:443.`);
  return (
    serverAddress(spelled, { host: host.replace(/^\[|\]$/g, ''), port: number }) + (cluster ?? '')
  );
}

const withoutLogin = (field: string) =>
  invalidField(
    field,
    'Say a server and its port alone, such as postgres://db.example.com:5432, without login, path or parameters.',
  );
