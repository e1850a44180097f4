// Sources that are known here, but whose driver is not part of this server.

import { invalid } from '../../errors.ts';
import type { DialectName } from '../../lineage/sql/dialect.ts';
import { type Connector, reportOf } from './connector.ts';

/** Sources that cannot be connected to, by type of integration. */
export const driverless = {
  snowflake: { title: 'Snowflake', dialect: 'snowflake' },
  bigquery: { title: 'BigQuery', dialect: 'bigquery' },
  databricks: { title: 'Databricks', dialect: 'databricks' },
  sqlserver: { title: 'SQL Server', dialect: 'tsql' },
  oracle: { title: 'Oracle', dialect: 'oracle' },
} as const satisfies Readonly<Record<string, { title: string; dialect: DialectName }>>;

const fix =
  'Feed this integration by uploads of CSV or JSONL files, or make one of the type dbt_core for the ' +
  'artifacts of a project.';

const notInstalled = (title: string) => `The driver of ${title} is not installed on this server.`;

/** That the driver of a type is not installed, and what to do; null where nothing is amiss. */
export function driverMissing(type: string): string | null {
  const found = Object.entries(driverless).find(([name]) => name === type);
  return found ? `${notInstalled(found[1].title)} ${fix}` : null;
}

/** A connector that says, whatever it is asked, that its driver is not installed. */
export function openDriverless(type: keyof typeof driverless): Connector {
  const { title, dialect } = driverless[type];
  const message = notInstalled(title);
  const refused = () => invalid(`${message} ${fix}`);
  return {
    dialect,
    async test() {
      return reportOf(null, [{ name: 'driver', state: 'missing', message, fix }]);
    },
    // biome-ignore lint/correctness/useYield: what cannot be connected to yields nothing.
    async *extract() {
      throw refused();
    },
    async query() {
      throw refused();
    },
    async close() {},
  };
}
