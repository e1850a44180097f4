// Sending files for a source, whatever their format.

import { ask } from '../asking/ask.ts';
import type { FileName, Format } from './formats.ts';
import { type Difference, UploadArtifacts, UploadCsv, UploadJsonl } from './page.graphql';

/** Texts of files by their names. */
export type Files = Readonly<Partial<Record<FileName, string>>>;

interface How {
  readonly dryRun: boolean;
  /** Even where nearly nothing of the source would be left. */
  readonly force: boolean;
  readonly stale: boolean;
}

/** Send files, to be applied or only looked at; answers what that changes. */
export async function upload(
  id: string,
  format: Format,
  files: Files,
  how: How,
): Promise<Difference> {
  if (format === 'csv') {
    const { content = '' } = files;
    return (await ask(UploadCsv, { id, content, ...how })).importCsv;
  }
  if (format === 'jsonl') {
    const { resources = null, lineages = null } = files;
    return (await ask(UploadJsonl, { id, resources, lineages, ...how })).importJsonl;
  }
  const { manifest = null, runResults = null, catalog = null, sources = null } = files;
  const given = { id, manifest, runResults, catalog, sources, ...how };
  return (await ask(UploadArtifacts, given)).importArtifacts;
}

/** How many bytes a request with these files has, about. */
export function sizeOf(files: Files): number {
  return Object.values(files).reduce((sum, text) => sum + new Blob([JSON.stringify(text)]).size, 0);
}
