// The integration whose import it is, as far as that decides what its names mean.

import type { Integration } from '../../../generated/prisma/client.ts';
import { adapterFamily } from '../../../resources/identities/named-place.ts';
import type { AddressInput } from '../../addresses/said-address.ts';
import { hasDriver } from '../../connectors/open.ts';

/** The integration whose import it is, as far as that decides where its names lie. */
export interface Importing {
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

/** What of the options of an import says who imports. */
interface Options {
  readonly integration: Integration;
  readonly isProject: boolean;
  readonly isLive?: boolean;
  readonly source?: string | null;
  readonly said?: readonly AddressInput[];
}

/** Who imports, by the options of an import and the warehouse that its project is written for. */
export function importingOf(options: Options, adapter: string): Importing {
  const { integration, isProject, isLive, source, said } = options;
  const { id, name, type, credentials } = integration;
  return {
    ...{ integrationId: id, name, type },
    adapter: isProject ? adapterFamily(adapter) : null,
    isSynced: isLive === true || (credentials !== null && hasDriver(type)),
    ...{ source: source ?? null, said: said ?? null },
  };
}
