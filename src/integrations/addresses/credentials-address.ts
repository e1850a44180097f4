// The address of the source that an integration connects to.

import type { ServerContext } from '../../context.ts';
import type { Integration } from '../../generated/prisma/client.ts';
import { connectors, isLive } from '../connectors/open.ts';
import { openCredentials } from '../credentials.ts';

/** The address of an integration's source, as its credentials say it; null where they don't. */
export async function sourceAddress(
  ctx: ServerContext,
  { id, type, credentials }: Pick<Integration, 'id' | 'type' | 'credentials'>,
): Promise<string | null> {
  const address = isLive(type) ? connectors[type]?.address : undefined;
  if (!address || credentials === null) return null;
  return address(await openCredentials(ctx, id));
}
