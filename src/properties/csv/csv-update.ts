// Changes of resources from a CSV file: what differs from what they are, made like any other change of many.

import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { mustBeAllowed } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { invalidField } from '../../errors.ts';
import type { Resource } from '../../generated/prisma/client.ts';
import type { ResourceChanges } from '../../resources/editing/asked-changes.ts';
import { readShown } from '../../resources/loaders.ts';
import { isUuid } from '../../text/uuid.ts';
import { type ChangedItem, changeEach, type ManyChanged, maxMany } from '../edit-many.ts';
import { parted, textOf } from './csv-cell.ts';
import {
  allColumns,
  type CsvColumn,
  columnsNamed,
  idsNamed,
  type NamedIds,
} from './csv-columns.ts';
import { textsOf } from './csv-lines.ts';

/** A cell that says something else than the resource does. */
export interface CsvDifference {
  readonly id: string;
  readonly titleFull: string;
  readonly column: string;
  readonly before: string;
  readonly after: string;
}

/** What became of a file. `matched` counts the lines that differ. */
export interface CsvChanged extends ManyChanged {
  /** Lines of the file, without its header. */
  readonly lines: number;
  readonly differences: readonly CsvDifference[];
  /** Columns that say which resource is meant, and change nothing. */
  readonly ignored: readonly string[];
}

/**
 * Change resources as a CSV file says, one line each: what a column holds replaces what there is, an empty cell clears, and
 * a column that is not there leaves alone. Where the file has a `version`, a resource that was changed since is refused.
 * Editors may. Throws BAD_REQUEST for what is no CSV, for columns that there are not, for a line without an id, and for more
 * than 20,000 lines; all else is said of each line.
 */
export async function updateFromCsv(
  ctx: Context,
  content: string,
  dryRun: boolean,
): Promise<CsvChanged> {
  mustBeAllowed(ctx, 'edit resources');
  const [header = [], ...lines] = recordsIn(content);
  const columns = columnsNamed(
    await allColumns(ctx),
    header.map((name) => textOf(name).trim()),
    'content',
  );
  const ids = idsIn(columns, lines);
  const found = await readShown(ctx, ids, null);
  const there = lines.flatMap((line, at): Line[] => {
    const resource = found.get(ids[at] ?? '');
    return resource && !resource.archived ? [{ resource, texts: line.map(textOf) }] : [];
  });
  const before = await textsOf(
    ctx,
    columns,
    there.map(({ resource }) => resource),
  );
  const differing = there
    .map((line, at) => ({ ...line, ...differenceOf(columns, line, before[at] ?? []) }))
    .filter(({ differences }) => differences.length > 0);
  const named = await idsNamed(ctx, {
    owners: namesIn(differing, 'owners'),
    tags: namesIn(differing, 'tags'),
    teams: namesIn(differing, 'teams'),
    related_terms: namesIn(differing, 'related_terms'),
  });
  const gone = ids
    .filter((id) => found.get(id)?.archived !== false)
    .map((id) => ({ id, code: 'NOT_FOUND', message: 'Resource not found.' }));
  const checked = differing.map((line) => itemOf(line, named));
  const wrong = checked.flatMap(({ wrong: why }) => why ?? []);
  const items = checked.flatMap(({ item }) => item ?? []);
  const made = await changeEach(ctx, { items, dryRun });
  return {
    ...made,
    matched: differing.length,
    failed: [...gone, ...wrong, ...made.failed],
    lines: lines.length,
    differences: differing.flatMap(({ differences }) => differences),
    ignored: columns.flatMap((column) =>
      'fixed' in column && column.fixed !== 'id' && column.fixed !== 'version' ? column.name : [],
    ),
  };
}

interface Line {
  readonly resource: Resource;
  readonly texts: readonly string[];
}

interface DifferingLine extends Line {
  readonly differences: readonly CsvDifference[];
  /** By column, what differs. */
  readonly changed: readonly { readonly column: CsvColumn; readonly after: string }[];
  readonly version: string | undefined;
}

function recordsIn(content: string): string[][] {
  const head = content.slice(0, content.indexOf('\n') + 1 || undefined);
  const count = (sign: string) => head.split(sign).length;
  const [delimiter = ','] = [',', ';', '\t'].sort((one, other) => count(other) - count(one));
  try {
    const options = { bom: true, delimiter, skip_empty_lines: true, to: maxMany + 2 };
    const records: string[][] = parse(content, options);
    if (records.length === 0) throw invalidField('content', 'The file is empty.');
    if (records.length <= maxMany + 1) return records;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw invalidField('content', `This is not CSV: ${error.message}`);
  }
  throw invalidField('content', `A file has ${maxMany.toLocaleString('en')} lines at most.`);
}

/** The ids of the lines, in lower case. */
function idsIn(columns: readonly CsvColumn[], lines: readonly (readonly string[])[]): string[] {
  const at = columns.findIndex((column) => 'fixed' in column && column.fixed === 'id');
  if (at < 0) throw invalidField('content', 'The column id says which resource a line is about.');
  const ids = lines.map((line) => (line[at] ?? '').trim().toLowerCase());
  const broken = ids.findIndex((id) => !isUuid(id));
  if (broken >= 0) throw invalidField('content', `Line ${broken + 2} has no id.`);
  const met = new Set<string>();
  const twice = ids.findIndex((id) => met.size === met.add(id).size);
  if (twice >= 0) throw invalidField('content', `Line ${twice + 2} has the id of a line before.`);
  return ids;
}

const isList = (column: CsvColumn) =>
  'own' in column && /^(owners|tags|teams|synonyms|related_terms)$/.test(column.own);

function differenceOf(
  columns: readonly CsvColumn[],
  { resource, texts }: Line,
  before: readonly string[],
): Pick<DifferingLine, 'differences' | 'changed' | 'version'> {
  const canonical = (column: CsvColumn, text: string) => {
    if (isList(column)) return parted(text.toLowerCase()).sort().join(';');
    if ('own' in column && /^(verified|pii|published|deprecated|term_status)$/.test(column.own))
      return text.trim().toLowerCase();
    return text.replaceAll('\r\n', '\n');
  };
  const changed = columns.flatMap((column, at) => {
    const [was, after] = [before[at] ?? '', texts[at] ?? ''];
    if ('fixed' in column || canonical(column, was) === canonical(column, after)) return [];
    return [{ column, after, was }];
  });
  const versionAt = columns.findIndex((column) => 'fixed' in column && column.fixed === 'version');
  return {
    changed,
    version: versionAt < 0 ? undefined : texts[versionAt],
    differences: changed.map(({ column, after, was }) => ({
      ...{ id: resource.id, titleFull: resource.titleFull, column: column.name },
      ...{ before: was, after },
    })),
  };
}

const namesIn = (lines: readonly DifferingLine[], own: keyof NamedIds) =>
  lines.flatMap(({ changed }) =>
    changed.flatMap(({ column, after }) =>
      'own' in column && column.own === own ? parted(after) : [],
    ),
  );

/** The change that a line stands for, or what is wrong with it. */
function itemOf({ resource, changed, version }: DifferingLine, named: NamedIds) {
  const { id } = resource;
  const values = new Map<string, string>();
  const changes: Record<string, unknown> = {};
  const messages: string[] = [];
  for (const { column, after } of changed) {
    if ('property' in column) values.set(column.property.id, after);
    else if ('own' in column) Object.assign(changes, changeOf(column.own, after, named, messages));
  }
  Object.assign(changes, deprecationOf(resource, changed, messages));
  if (version !== undefined && !/^\d{1,9}$/.test(version.trim()))
    messages.push('version: Use a number.');
  if (messages.length > 0)
    return { wrong: { id, code: 'BAD_REQUEST', message: messages.join(' ') } };
  const item: ChangedItem = {
    ...{ id, changes, values },
    ...(version === undefined ? {} : { expectedVersion: Number(version) }),
  };
  return { item };
}

const sets = {
  ...{ owners: 'ownerIds', tags: 'tagIds', teams: 'teamIds' },
  related_terms: 'relatedTermIds',
} as const;

function changeOf(
  own: string,
  after: string,
  named: NamedIds,
  messages: string[],
): ResourceChanges {
  if (own === 'owners' || own === 'tags' || own === 'teams' || own === 'related_terms') {
    const names = parted(after);
    const unknown = names.filter((name) => !named[own].has(name.toLowerCase()));
    if (unknown.length > 0) messages.push(`${own}: There is no ${unknown.slice(0, 5).join(', ')}.`);
    return { [sets[own]]: names.flatMap((name) => named[own].get(name.toLowerCase()) ?? []) };
  }
  if (own === 'verified' || own === 'pii' || own === 'published') {
    return { [own]: flagOf(own, after, messages) };
  }
  if (own === 'synonyms') return { synonyms: parted(after) };
  if (own === 'term_status') return { termStatus: after.trim().toLowerCase() || null };
  if (own === 'deprecated' || own === 'deprecation_note') return {};
  const isNullable = own === 'description' || own === 'url';
  return { [own]: isNullable && after === '' ? null : after };
}

function flagOf(own: string, after: string, messages: string[]): boolean {
  const flag = after.trim().toLowerCase();
  if (flag !== 'true' && flag !== 'false') messages.push(`${own}: Use true or false.`);
  return flag === 'true';
}

/** Two columns say one thing of a resource: its successor stays where they change the note. */
function deprecationOf(
  { deprecatedAt, deprecationNote, successorId }: Resource,
  changed: DifferingLine['changed'],
  messages: string[],
): ResourceChanges {
  const said = (own: string) =>
    changed.find(({ column }) => 'own' in column && column.own === own)?.after;
  const [flag, note] = [said('deprecated'), said('deprecation_note')];
  if (flag === undefined && note === undefined) return {};
  const is = flag === undefined ? deprecatedAt !== null : flagOf('deprecated', flag, messages);
  if (is) return { deprecation: { note: note ?? deprecationNote, successorId } };
  if (note) messages.push('deprecation_note: Only what is deprecated has a note.');
  return { deprecation: null };
}
