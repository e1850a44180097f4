// The English words about uploads, and about the tray that they run in.

import { counted, number } from '../../words.ts';

export const uploadWords = {
  title: 'Upload',
  drop: 'Drop files here, or choose them',
  takes: {
    files: 'A CSV file of tables and columns, or JSON lines of resources and of lineage.',
    artifacts: 'manifest.json, catalog.json, run_results.json and sources.json of a project.',
  },
  limit: 'Each may be packed with gzip.',
  unknown: (names: string) => `Not taken: ${names}.`,
  names: {
    file: 'Tables and columns',
    resources_file: 'Resources',
    lineages_file: 'Lineage',
    manifest: 'Manifest',
    run_results: 'Results of a run',
    catalog: 'Catalog',
    sources: 'Freshness of sources',
  },
  remove: (name: string) => `Remove ${name}`,
  stale: 'Mark missing resources as stale',
  preview: 'Preview changes',
  sending: (percent: number) => `Sending, ${number(percent)}%`,
  reading: 'Reading …',
  import: (changes: number) => (changes === 0 ? 'Import' : `Import ${counted(changes, 'change')}`),
  anyway: 'Import anyway',
  discard: 'Discard upload',
  onlyThen: 'Nothing is changed before you import.',
  begun: 'The import runs. You can leave this page.',
  commandLine: 'Upload from the command line or CI',

  tray: 'Uploads',
  running: (count: number) => `${counted(count, 'upload')} running`,
  to: (source: string) => `to ${source}`,
  sent: (sent: string, size: string) => `${sent} of ${size}`,
  cancel: 'Cancel',
  dismiss: 'Dismiss',
  imported: 'Imported',
} as const;
