// The formats of uploads: which a source takes, and the files of each.

import type { SourceThere } from './shown.ts';

/** How uploads for a type are put together. */
export type Format = 'csv' | 'jsonl' | 'artifacts';

const files = {
  csv: ['content'],
  jsonl: ['resources', 'lineages'],
  artifacts: ['manifest', 'runResults', 'catalog', 'sources'],
} as const;

/** A file of an upload. */
export type FileName = (typeof files)[Format][number];

/** The formats of uploads, by what feeds a source. */
export const formatsOf: Readonly<Record<SourceThere['fedBy'], readonly Format[]>> = {
  sync: [],
  files: ['csv', 'jsonl'],
  artifacts: ['artifacts'],
  nothing: [],
};

/** The files of a format. */
export function filesOf(format: Format): readonly FileName[] {
  return files[format];
}
