// Planted secrets: real servers, echoes on the loopback, and integrations.

import type { HttpFake } from '../integrations/connectors/http-fake.ts';
import { startMariaDb, startPostgres, type TestServer } from '../servers.ts';
import { canary } from './canaries.ts';
import { type MailEcho, startChatEcho, startEcho, startMailEcho } from './echoes.ts';

const plain = (core: string) => `${core}-0123456789`;
/** What can stand in a header. */
const visible = (core: string) => `"${core}'\\/+&=%`;
const pem = (core: string) =>
  `-----BEGIN PRIVATE KEY-----\nMIIEvQIBADAN${core}\nBgkqhki\n-----END PRIVATE KEY-----\n`;

export const secrets = {
  adminKey: canary('ADMIN_API_KEY', visible),
  masterKey: canary('SECRETS_KEY', plain),
  nextMasterKey: canary('the next SECRETS_KEY', plain),
  mail: canary('the password of SMTP_URL'),
  database: canary('the password of DATABASE_URL', plain),
  postgres: canary('the password of PostgreSQL'),
  wrong: canary('a wrong password of PostgreSQL'),
  redshift: canary('the password of Redshift'),
  mariadb: canary('the password of MariaDB'),
  clickhouse: canary('the password of ClickHouse', visible),
  trino: canary('the password of Trino'),
  chat: canary('the token of the chat', visible),
  token: canary('a token of Databricks', visible),
  key: canary('a private key of Snowflake', pem),
  passphrase: canary('the passphrase of that key'),
  account: canary('the service account of BigQuery'),
  superset: canary('the password of Superset', visible),
  dsn: canary('a DSN of Oracle', (core) => `reader/"${core}"@//db.example:1521/x`),
  host: canary('a DSN in place of a host', (core) => `postgres://reader:${core}@db.test:5432/x`),
  connection: canary('a connection string', (core) => `Server=db;User Id=r;Password=${core};`),
  pipeline: canary('a token of a pipeline'),
  unknown: canary('a field that nobody knows'),
  tried: canary('a password that is only tried'),
  typed: canary('a secret of a wrong type'),
  inline: canary('a secret in the text of a query', plain),
} as const;

/** The servers that the secrets are for. */
export interface Places extends AsyncDisposable {
  readonly postgres: TestServer;
  readonly mariadb: TestServer | null;
  readonly echo: HttpFake;
  readonly chat: HttpFake;
  readonly mail: MailEcho;
}

/** Start them all; null where no PostgreSQL server is installed. */
export async function openPlaces(): Promise<Places | null> {
  const [postgres, mariadb] = await Promise.all([startPostgres(), startMariaDb()]);
  if (!postgres) {
    await mariadb?.[Symbol.asyncDispose]();
    return null;
  }
  const echo = await startEcho();
  const chat = await startChatEcho();
  const mail = await startMailEcho();
  await fillPostgres(postgres);
  if (mariadb) await fillMariaDb(mariadb);
  return {
    ...{ postgres, mariadb, echo, chat, mail },
    async [Symbol.asyncDispose]() {
      for (const place of [postgres, mariadb, echo, chat, mail]) {
        await place?.[Symbol.asyncDispose]();
      }
    },
  };
}

/** Passwords count, and a function says the one of the login. */
async function fillPostgres(server: TestServer): Promise<void> {
  const quoted = `'${secrets.postgres.secret.replaceAll("'", "''")}'`;
  await server.run('create database shop');
  await server.run(
    `create extension if not exists pg_stat_statements;
     create table orders (id int, amount numeric); insert into orders select g, g from
       generate_series(1, 20) g;
     create view large as select id from orders where amount > 10;
     create role reader login password ${quoted.replaceAll('\\', '\\')};
     grant pg_read_all_data, pg_read_all_stats to reader;`,
    'shop',
  );
  // From now on all but the owner say who they are.
  const rules = ['host all owner all trust', 'host all all all scram-sha-256'];
  await server.run(`do $$ begin execute format(
    'copy (select unnest(%L::text[])) to %L', array[${rules.map((r) => `'${r}'`)}],
    current_setting('hba_file')); end $$; select pg_reload_conf()`);
}

async function fillMariaDb(server: TestServer): Promise<void> {
  const quoted = `'${secrets.mariadb.secret.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  await server.run(`create database shop; create user reader identified by ${quoted};
    grant select, execute on shop.* to reader`);
  await server.run('create table orders (id int); insert into orders values (1), (2)', 'shop');
}

/** What the functions `tell` and `tell_hex` of the sources do: fail with the password, or return 1. */
export async function teach({ postgres, mariadb }: Places, isTelling: boolean): Promise<void> {
  const pg = `'${secrets.postgres.secret.replaceAll("'", "''")}'`;
  const bodies = {
    tell: `raise exception 'the password of reader is %', ${pg};`,
    tell_hex: `raise exception 'in hex %, in base64 %', encode(convert_to(${pg}, 'UTF8'), 'hex'),
      encode(convert_to('reader:' || ${pg}, 'UTF8'), 'base64');`,
  };
  const maria = `'${secrets.mariadb.secret.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const signal = `signal sqlstate '45000' set message_text = ${maria};`;
  for (const [name, body] of Object.entries(bodies)) {
    await postgres.run(
      `create or replace function ${name}() returns int language plpgsql as $f$ begin
         ${isTelling ? body : ''} return 1; end $f$`,
      'shop',
    );
    await mariadb?.run(
      `create or replace function ${name}() returns int deterministic begin
         ${isTelling ? signal : ''} return 1; end`,
      'shop',
    );
  }
}

/** An integration with its secrets. */
export interface Planted {
  readonly type: string;
  readonly name: string;
  readonly credentials: object;
}

/** One integration of every type, and of those that can be connected to more. */
export function plantings({ postgres, mariadb, echo }: Places): readonly Planted[] {
  const loopback = { host: '127.0.0.1', user: 'reader', database: 'shop' };
  const at = (port: number, password: string) => ({ ...loopback, port, password });
  const closed = 1;
  const of = secrets;
  return [
    { type: 'postgres', name: 'right', credentials: at(postgres.port, of.postgres.secret) },
    { type: 'postgres', name: 'wrong', credentials: at(postgres.port, of.wrong.secret) },
    { type: 'postgres', name: 'nowhere', credentials: at(closed, of.wrong.secret) },
    { type: 'postgres', name: 'host', credentials: { ...at(1, ''), host: of.host.secret } },
    { type: 'redshift', name: 'wrong', credentials: at(postgres.port, of.redshift.secret) },
    ...(mariadb
      ? [
          { type: 'mariadb', name: 'right', credentials: at(mariadb.port, of.mariadb.secret) },
          { type: 'mysql', name: 'wrong', credentials: at(mariadb.port, of.wrong.secret) },
        ]
      : []),
    { type: 'clickhouse', name: 'echo', credentials: at(echo.port, of.clickhouse.secret) },
    {
      type: 'trino',
      name: 'echo',
      credentials: { ...at(echo.port, of.trino.secret), catalog: 'hive', ssl: 'disable' },
    },
    {
      type: 'duckdb',
      name: 'file',
      credentials: { path: 'no.db', motherduck_token: of.unknown.secret },
    },
    {
      type: 'snowflake',
      name: 'key',
      credentials: { account: 'a', private_key: of.key.secret, passphrase: of.passphrase.secret },
    },
    {
      type: 'bigquery',
      name: 'account',
      credentials: { service_account: JSON.stringify({ private_key: of.account.secret }) },
    },
    { type: 'databricks', name: 'token', credentials: { host: 'h', token: of.token.secret } },
    {
      type: 'superset',
      name: 'echo',
      credentials: {
        ...{ url: `http://127.0.0.1:${echo.port}`, user: 'reader' },
        password: of.superset.secret,
      },
    },
    { type: 'oracle', name: 'dsn', credentials: { dsn: of.dsn.secret } },
    { type: 'sqlserver', name: 'string', credentials: { url: [of.connection.secret] } },
    { type: 'dbt_core', name: 'token', credentials: { nested: { api: of.pipeline.secret } } },
    { type: 'chat', name: 'chat', credentials: { token: of.chat.secret } },
  ];
}
