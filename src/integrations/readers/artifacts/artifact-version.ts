// The versions of a project's artifacts that are known.

import type { NoteProblem } from '../lenient.ts';
import { badField, type FilePlace, shown } from '../place.ts';
import { readShape } from './artifact-shape.ts';
import { type Metadata, shapes } from './project-node.ts';

/** The last version that is known; later ones are read as far as they say the same. */
const known = { manifest: 12, 'run-results': 6, catalog: 1, sources: 3 } as const;

export type Artifact = keyof typeof known;

/**
 * Read the metadata of an artifact. A version later than those that are known is noted. Throws BAD_REQUEST naming
 * the file and what was found, when it is another artifact.
 */
export function readMetadata(
  artifact: Artifact,
  place: FilePlace,
  value: unknown,
  note: NoteProblem,
): Metadata {
  const metadata = readShape(shapes.metadata, place, 'metadata', value);
  const { dbt_schema_version: schema } = metadata;
  const [, found, version] = /\/([a-z-]+)\/v(\d+)(?:\.json)?$/.exec(schema) ?? [];
  const field = 'metadata.dbt_schema_version';
  if (found !== artifact) {
    throw badField(place, field, `is ${shown(schema)}, which is no ${artifact}.`);
  }
  const last = known[artifact];
  if (Number(version) > last) {
    const read = `is ${artifact} version ${version}, later than the last known one, ${last}`;
    note(badField(place, field, `${read}: only what is known was read.`).message);
  }
  return metadata;
}
