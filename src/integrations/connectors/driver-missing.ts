// Sources that are known here, but whose driver is not part of this server.

import { z } from 'zod';
import { invalid } from '../../errors.ts';
import { type Connector, reportOf } from './connector.ts';
import type { ConnectorManifest } from './manifest.ts';

const without = { credentials: z.object({}), capabilities: [], page: null } as const;

/** Sources that cannot be connected to, by type of integration. */
export const driverless = {
  sqlserver: { label: 'SQL Server', dialect: 'tsql', aliases: ['mssql', 'sql_server'], ...without },
  oracle: { label: 'Oracle', dialect: 'oracle', ...without },
} as const satisfies Readonly<Record<string, ConnectorManifest>>;

const fix =
  'Feed this integration by uploads of CSV or JSONL files, or make one of the type dbt_core for the ' +
  'artifacts of a project.';

const notInstalled = (label: string) => `The driver of ${label} is not installed on this server.`;

/** That the driver of a type is not installed, and what to do; null where nothing is amiss. */
export function driverMissing(type: string): string | null {
  const found = Object.entries(driverless).find(([name]) => name === type);
  return found ? `${notInstalled(found[1].label)} ${fix}` : null;
}

/** A connector that says, whatever it is asked, that its driver is not installed. */
export function openDriverless(type: keyof typeof driverless): Connector {
  const { label, dialect } = driverless[type];
  const message = notInstalled(label);
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
