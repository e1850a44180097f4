// Reads a project's catalog: the columns that its tables have in the warehouse.

import type { Extracted, ExtractedResource } from '../extraction.ts';
import { readFreely } from '../lenient.ts';
import { readMembers } from '../members.ts';
import { badFile } from '../place.ts';
import { type FileSource, plainBytes } from '../source.ts';
import { readMetadata } from './artifact-version.ts';
import { columnKey } from './project.ts';
import { type CatalogTable, shapes } from './project-node.ts';

const sections = { metadata: 'whole', nodes: 'members', sources: 'members' } as const;

/**
 * Read a catalog of version 1, or what is known of a later one: for each table what the warehouse says about it and its columns, as
 * additions to what the manifest names. What the warehouse says of a name, type or order holds, so a
 * catalog is read before its manifest. Throws BAD_REQUEST like the readers of the other artifacts.
 */
export async function* readArtifactCatalog(
  source: FileSource,
  options: { maxBytes: number },
): AsyncGenerator<Extracted> {
  let versionKnown = false;
  const problems: string[] = [];
  const note = (problem: string) => problems.push(problem);
  const bytes = plainBytes(source, options.maxBytes);
  for await (const { section, name, place, value } of readMembers(source.file, bytes, sections)) {
    if (section === 'metadata') {
      readMetadata('catalog', place, value, note);
      versionKnown = true;
      for (const problem of problems.splice(0)) yield { is: 'problem', problem };
      continue;
    }
    const table = readFreely(shapes.catalogTable, place, `${section}.${name}`, value, note);
    for (const problem of problems.splice(0)) yield { is: 'problem', problem };
    for (const resource of describeTable(name, place.line, table)) {
      yield { is: 'resource', resource };
    }
  }
  if (!versionKnown) throw badFile(source.file, 'has no metadata; it is not a catalog.');
}

function describeTable(key: string, line: number, table: CatalogTable): ExtractedResource[] {
  const { stats } = table;
  const columns = Object.entries(table.columns ?? {}).map(([name, column]): ExtractedResource => {
    const title = column.name || name;
    return {
      line,
      kind: 'column',
      key: columnKey(key, title),
      parentKey: key,
      standing: 'addition',
      title,
      type: column.type || undefined,
      sortOrder: column.index ?? undefined,
    };
  });
  const size: ExtractedResource = {
    line,
    kind: 'table',
    key,
    standing: 'addition',
    rowCount: numberIn(stats?.row_count ?? stats?.num_rows),
    byteSize: numberIn(stats?.bytes ?? stats?.num_bytes ?? stats?.size),
  };
  return [size, ...columns];
}

function numberIn(stat: { value?: unknown } | undefined): number | undefined {
  const value = Number(stat?.value ?? Number.NaN);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
