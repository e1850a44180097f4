// The place that an integration's artifacts are pulled from.

import type { ServerContext } from '../../context.ts';
import type { Integration } from '../../generated/prisma/client.ts';
import { scrubberOf } from '../../secrets/redaction.ts';
import { readFields, shownNames } from '../connectors/read-fields.ts';
import { type Credentials, openCredentials } from '../credentials.ts';
import { uploadsOf } from '../integration-type.ts';
import { artifactFields } from './artifact-fields.ts';
import type { ArtifactPlace } from './artifact-place.ts';
import { openFolder } from './object-place.ts';
import { openPlatform } from './platform-runs.ts';

/**
 * The place that the artifacts of an integration are pulled from, with its own credentials or with others; null where
 * they are uploaded. Nothing is connected yet. Throws BAD_REQUEST for credentials that lack something, naming the field.
 */
export async function openPlace(
  ctx: ServerContext,
  { id, type, credentials }: Pick<Integration, 'id' | 'type' | 'credentials'>,
  others?: Credentials,
): Promise<ArtifactPlace | null> {
  if (uploadsOf(type) !== 'artifacts' || (credentials === null && !others)) return null;
  const given = others ?? (await openCredentials(ctx, id));
  const login = readFields(artifactFields, given);
  const { reach } = ctx.surroundings;
  const scrub = scrubberOf(given, shownNames(artifactFields));
  switch (login.artifacts) {
    case 'upload':
      return null;
    case 'platform':
      return openPlatform(login, reach, scrub);
    default:
      return openFolder(login, reach, scrub);
  }
}
