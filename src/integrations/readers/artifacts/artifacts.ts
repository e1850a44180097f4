// Reads the artifacts of a transformation project together, in the order they need.

import type { Extracted } from '../extraction.ts';
import type { FileSource } from '../source.ts';
import { readArtifactCatalog } from './artifact-catalog.ts';
import { readManifest } from './project-manifest.ts';
import { readRunResults } from './run-results.ts';
import { readSourceFreshness } from './source-freshness.ts';

/** The files of a project. The manifest says what there is; the others add to it. */
export interface Artifacts {
  readonly manifest?: FileSource | undefined;
  /** One for each run, in any order. */
  readonly runResults?: readonly FileSource[] | undefined;
  readonly catalog?: FileSource | undefined;
  /** What the project found of the freshness of its sources. */
  readonly sources?: FileSource | undefined;
}

/** Read all artifacts that are given, one after the other, holding a piece of one at a time. */
export async function* readArtifacts(
  { manifest, runResults = [], catalog, sources }: Artifacts,
  options: { maxBytes: number; count: (sort: string) => void; now: Date },
): AsyncGenerator<Extracted> {
  // What adds to resources comes before them, as lineage has to come after all of them.
  if (sources) yield* readSourceFreshness(sources, options);
  if (manifest && catalog) yield* readArtifactCatalog(catalog, options);
  if (manifest) yield* readManifest(manifest, options);
  for (const run of runResults) yield* readRunResults(run, options);
}
