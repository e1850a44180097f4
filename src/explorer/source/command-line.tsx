// The same upload from a terminal or a build: the command to copy.

import { Copy } from '../parts/copy.tsx';
import { uploadWords as words } from '../words/jobs/uploads.ts';
import { words as common } from '../words.ts';
import { type FileField, fieldsNextTo, pathOf } from './formats.ts';
import type { SourceThere } from './shown.ts';

const like: Readonly<Partial<Record<FileField, string>>> = {
  ...{ file: 'tables.csv', resources_file: 'resources.jsonl', lineages_file: 'lineage.jsonl' },
};

/** The command, opened by a click. */
export function CommandLine({ id, fedBy }: Pick<SourceThere, 'id' | 'fedBy'>) {
  const field = fedBy === 'artifacts' ? 'manifest' : 'file';
  const command = [
    `curl -H "Authorization: Bearer $KEY"`,
    ...fieldsNextTo(field).map((one) => `-F ${one}=@${like[one] ?? `${one}.json`}`),
    `'${location.origin}/api/v1${pathOf(id, field)}'`,
  ].join(' \\\n  ');
  return (
    <details>
      <summary>{words.commandLine}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the page is moved by keys */}
      <pre tabIndex={0}>{command}</pre>
      <Copy label={common.resource.copy} text={command} />
    </details>
  );
}
