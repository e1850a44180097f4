// The versions of a project's artifacts that can be read.

import { badField, type FilePlace, shown } from './place.ts';
import { type Metadata, readShape, shapes } from './project-node.ts';

/** Versions that are read, first and last. */
const supported = { manifest: [1, 12], 'run-results': [1, 6], catalog: [1, 1] } as const;

export type Artifact = keyof typeof supported;

/**
 * Read the metadata of an artifact. Throws BAD_REQUEST naming the file, what was found and what is
 * supported, when it is another artifact or of another version.
 */
export function readMetadata(artifact: Artifact, place: FilePlace, value: unknown): Metadata {
  const metadata = readShape(shapes.metadata, place, 'metadata', value);
  const [, found, version] =
    /\/([a-z-]+)\/v(\d+)(?:\.json)?$/.exec(metadata.dbt_schema_version) ?? [];
  const [first, last] = supported[artifact];
  const range = first === last ? `version ${first}` : `versions ${first} to ${last}`;
  const field = 'metadata.dbt_schema_version';
  if (found !== artifact) {
    const is = shown(metadata.dbt_schema_version);
    throw badField(place, field, `is ${is}, which is no ${artifact}; ${range} of it can be read.`);
  }
  const number = Number(version);
  if (number < first || number > last) {
    throw badField(place, field, `is ${artifact} version ${number}; ${range} can be read.`);
  }
  return metadata;
}
