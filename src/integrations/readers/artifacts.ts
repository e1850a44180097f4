// Reads the artifacts of a transformation project together, in the order they need.

import { readArtifactCatalog } from './artifact-catalog.ts';
import type { Extracted } from './extraction.ts';
import { readManifest } from './project-manifest.ts';
import { readRunResults } from './run-results.ts';
import type { FileSource } from './source.ts';

/** The files of a project. The manifest says what there is; the others add to it. */
export interface Artifacts {
  readonly manifest?: FileSource | undefined;
  readonly runResults?: FileSource | undefined;
  readonly catalog?: FileSource | undefined;
}

/** Read all artifacts that are given, one after the other, holding a piece of one at a time. */
export async function* readArtifacts(
  { manifest, runResults, catalog }: Artifacts,
  options: { maxBytes: number; count: (sort: string) => void },
): AsyncGenerator<Extracted> {
  if (manifest && catalog) yield* readArtifactCatalog(catalog, options);
  if (manifest) yield* readManifest(manifest, options);
  if (runResults) yield* readRunResults(runResults, options);
}
