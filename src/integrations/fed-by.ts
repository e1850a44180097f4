// In charge of what feeds an integration: its source, uploads, or nothing.

import { hasDriver } from './connectors/open.ts';
import { type Uploads, uploadsOf } from './integration-type.ts';

/** What feeds an integration. */
export type Feed = 'sync' | Uploads;

/** What feeds integrations of a type: syncs, where this server has what connects to such a source. */
export function feedOf(type: string): Feed {
  return hasDriver(type) ? 'sync' : uploadsOf(type);
}
