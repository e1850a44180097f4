// The settings that sessions of PostgreSQL begin with.

import { everyWorkspace, workspaceSetting } from './visible-rows.ts';

/** An address whose sessions begin with these settings, whatever `options` it has of its own. */
export function withSettings(
  databaseUrl: string,
  settings: Readonly<Record<string, string>>,
): string {
  const [server = '', ...query] = databaseUrl.split('?');
  const parameters = new URLSearchParams(query.join('?'));
  const given = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  // Of two settings of one name the last one holds.
  parameters.set('options', [parameters.get('options'), ...given].filter(Boolean).join(' '));
  // libpq, and so psql, takes a plus for a plus.
  return `${server}?${String(parameters).replaceAll('+', '%20')}`;
}

/** An address for programs besides Headwater: its sessions show the rows of every workspace. */
export function seeingEvery(databaseUrl: string): string {
  return withSettings(databaseUrl, { [workspaceSetting]: everyWorkspace });
}
