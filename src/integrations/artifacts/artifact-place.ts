// A place that the artifacts of a project lie in, whatever it is.

import type { Scrub } from '../../secrets/redaction.ts';
import type { Artifacts } from '../readers/artifacts/artifacts.ts';
import type { FileSource } from '../readers/source.ts';

/** What is pulled, and what was before. */
export interface PullRequest {
  /** The versions of what was read before, by its name in the place; none to pull all. */
  readonly known: ReadonlyMap<string, string>;
  /** Where files are kept until they are read. */
  readonly folder: string;
  /** Bytes of a file at most. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  note(line: string): void;
}

/** What is new in a place. */
export interface Pulled {
  /** Null where there is nothing to import. */
  readonly artifacts: Artifacts | null;
  /** The versions of all that was read now. */
  readonly versions: ReadonlyMap<string, string>;
}

/** A place, as a login sees it. Nothing is connected until it is asked. */
export interface ArtifactPlace {
  readonly scrub: Scrub;
  /** What was not read before; null where nothing is new. */
  pull(request: PullRequest): Promise<Pulled | null>;
  /** What of the artifacts is there, in words. Throws where the place cannot be read. */
  look(signal: AbortSignal): Promise<string>;
}

/** The artifacts of a project by the field that an upload has for each. */
export const artifactNames = ['manifest', 'catalog', 'run_results', 'sources'] as const;

/** An artifact. */
export type ArtifactName = (typeof artifactNames)[number];

/** The name of the file of an artifact. */
export const fileOf = (name: ArtifactName) => `${name}.json`;

/** Artifacts of files that were downloaded. */
export function artifactsOf(
  files: ReadonlyMap<ArtifactName, readonly FileSource[]>,
): Artifacts | null {
  const [manifest] = files.get('manifest') ?? [];
  const [catalog] = files.get('catalog') ?? [];
  const [sources] = files.get('sources') ?? [];
  const runResults = files.get('run_results') ?? [];
  const isAny = manifest || sources || runResults.length > 0;
  return isAny ? { manifest, catalog, sources, runResults } : null;
}
