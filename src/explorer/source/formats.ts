// The formats of uploads: where each is sent, and which of its fields a file belongs to, by its name.

import type { SourceThere } from './shown.ts';

type FedBy = SourceThere['fedBy'];

/** The fields of the forms that take files, and the address of each form. */
const forms = {
  csv: { path: 'integrations/ID/import_metadata', fields: ['file'] },
  jsonl: {
    path: 'integrations/ID/import_jsonl_metadata',
    fields: ['resources_file', 'lineages_file'],
  },
  artifacts: {
    path: 'transform/ID/upload_artifacts/',
    fields: ['manifest', 'run_results', 'catalog', 'sources'],
  },
} as const;

type Format = keyof typeof forms;

/** A field of a form that takes a file. */
export type FileField = (typeof forms)[Format]['fields'][number];

/** A file, and the field that it belongs to. */
export interface ChosenFile {
  readonly field: FileField;
  readonly file: File;
}

const endings: Readonly<Partial<Record<FedBy, readonly (readonly [RegExp, FileField])[]>>> = {
  files: [
    [/\.csv(\.gz)?$/i, 'file'],
    [/lineage[^/]*\.(jsonl|ndjson|json)(\.gz)?$/i, 'lineages_file'],
    [/\.(jsonl|ndjson|json)(\.gz)?$/i, 'resources_file'],
  ],
  artifacts: [
    [/manifest[^/]*\.json(\.gz)?$/i, 'manifest'],
    [/run_?results[^/]*\.json(\.gz)?$/i, 'run_results'],
    [/catalog[^/]*\.json(\.gz)?$/i, 'catalog'],
    [/sources[^/]*\.json(\.gz)?$/i, 'sources'],
  ],
};

/** Whether a source takes files at all. */
export function takesFiles(fedBy: FedBy): boolean {
  return endings[fedBy] !== undefined;
}

/** Which field a file belongs to, by its name; null where a source takes no such file. */
export function fieldOf(fedBy: FedBy, name: string): FileField | null {
  return endings[fedBy]?.find(([ending]) => ending.test(name))?.[1] ?? null;
}

/** The files with others: of one format, and one file of each field but for results of runs. */
export function withFiles(
  before: readonly ChosenFile[],
  added: readonly ChosenFile[],
): readonly ChosenFile[] {
  return added.reduce<readonly ChosenFile[]>((all, one) => {
    const stays = (other: ChosenFile) =>
      formatOf(other.field) === formatOf(one.field) &&
      (other.field !== one.field ||
        (one.field === 'run_results' && other.file.name !== one.file.name));
    return [...all.filter(stays), one];
  }, before);
}

/** Where such a file is sent to: the end of the address. */
export function pathOf(id: string, field: FileField): string {
  return `/integration/${forms[formatOf(field)].path.replace('ID', id)}`;
}

/** All fields of the form that a field is of. */
export function fieldsNextTo(field: FileField): readonly FileField[] {
  return forms[formatOf(field)].fields;
}

function formatOf(field: FileField): Format {
  if (field === 'file') return 'csv';
  return field.endsWith('_file') ? 'jsonl' : 'artifacts';
}
