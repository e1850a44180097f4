// What is described of datasets and jobs, in the shape that every import is read from.

import { createHash } from 'node:crypto';
import { ancestorsOf, type Extracted, pathKey } from '../../integrations/readers/extraction.ts';
import { textLimits } from '../../integrations/readers/json-fields.ts';
import { foldName } from '../../resources/identities/named-place.ts';
import { readName } from '../events/dataset-name.ts';
import { uuidOf } from '../events/lineage-event.ts';
import { countOf, itemsOf, membersOf, textOf } from '../events/loose.ts';
import { placeOf } from '../folding/dataset-place.ts';
import { latestOf, type Said, timeOf } from '../folding/register.ts';
import type { KnownThing } from './known-rows.ts';

/** What is to be described of something: under which key, and what the import is to read. */
export interface Description {
  readonly key: string;
  /** Equal for equal descriptions. */
  readonly hash: string;
  /** Empty for what was dropped. */
  readonly extracted: readonly Extracted[];
  /** Keys of what is no longer there. */
  readonly gone: readonly string[];
}

const nesting = 20;

/** What a dataset is, by what events say under all its names. */
export function describeDataset(
  { id, namespace, name }: Pick<KnownThing, 'id' | 'namespace' | 'name'>,
  said: Said,
): Description {
  const spelled = readName(latestOf(said, '<name')) ?? { namespace, name };
  const { database, schema, table } = placeOf(spelled);
  const path = [...(database === undefined ? [] : [database]), schema, table];
  const key = keyOf('table', path.map(foldName), id);
  const fields = itemsOf(latestOf(said, 'schema') ?? latestOf(said, 'partialSchema'), 5_000);
  const columns = columnsOf({ key, id, path: path.map(foldName) }, fields);
  const keys = [
    key,
    ...columns.flatMap((one) => (one.is === 'resource' ? [one.resource.key] : [])),
  ];
  if (isDropped(said)) return { key, hash: hashOf(['dropped', key]), extracted: [], gone: keys };
  const place = { line: 0, schema, ...(database === undefined ? {} : { database }) };
  const ancestors = ancestorsOf(place);
  const type = textOf(latestOf(said, 'type'), textLimits.name);
  const own: Extracted = {
    is: 'resource',
    resource: {
      ...{ line: 0, kind: 'table', key, standing: 'named', title: titleOf(table) },
      ...place,
      parentKey: ancestors.at(-1)?.key,
      nativeType: type?.toLowerCase() ?? 'dataset',
      description: textOf(latestOf(said, 'documentation'), textLimits.text),
      rowCount: countOf(latestOf(said, 'rowCount')),
      byteSize: countOf(latestOf(said, 'byteSize')),
      tags: textsOf(latestOf(said, 'tags')),
      owners: textsOf(latestOf(said, 'owners')),
      metadata: { openlineage: { namespace: spelled.namespace, name: spelled.name } },
    },
  };
  const above = ancestors.map((resource): Extracted => ({ is: 'resource', resource }));
  const extracted = [...above, own, ...columns];
  return { key, hash: hashOf(extracted), extracted, gone: [] };
}

/** What a job is; `parentKey` names the job that it is a part of. */
export function describeJob(job: KnownThing, parentKey: string | undefined): Description {
  const { namespace, name, said } = job;
  const key = jobKey(job);
  const words = ['integration', 'jobType'].map((one) => textOf(latestOf(said, one), 100));
  const extracted: Extracted[] = [
    {
      is: 'resource',
      resource: {
        ...{ line: 0, kind: 'job', key, standing: 'named', title: titleOf(name), parentKey },
        nativeType:
          words
            .filter((word) => word !== undefined)
            .join(' ')
            .toLowerCase() || undefined,
        definition: textOf(latestOf(said, 'documentation'), textLimits.text),
        url: textOf(latestOf(said, 'url'), textLimits.url),
        tags: textsOf(latestOf(said, 'tags')),
        owners: textsOf(latestOf(said, 'owners')),
        metadata: { openlineage: { namespace, name } },
      },
    },
  ];
  return { key, hash: hashOf(extracted), extracted, gone: [] };
}

export function jobKey({ id, namespace, name }: Pick<KnownThing, 'id' | 'namespace' | 'name'>) {
  return keyOf('job', [namespace, name], id);
}

/** The tests of something and their latest results, of those that a batch speaks of. */
export function describeTests(heard: Said, of: string, tableKey: string | undefined): Extracted[] {
  return Object.entries(heard).flatMap(([register, [stamp, value]]): Extracted[] => {
    if (!register.startsWith('test:')) return [];
    const test = membersOf(value);
    const name = textOf(test.name, textLimits.name) ?? 'test';
    const column = textOf(test.column, textLimits.name);
    const key = `test:${uuidOf(createHash('sha1').update(`${of} ${register}`).digest())}`;
    const severity = test.severity === 'warn' ? 'warn' : 'error';
    const failed = severity === 'warn' ? 'warn' : 'fail';
    const status = test.status === 'fail' ? failed : test.status === 'pass' ? 'pass' : 'skipped';
    return [
      {
        is: 'test',
        test: {
          ...{ key, name, severity, tableKey },
          description: textOf(test.description, textLimits.text),
          testKind: textOf(test.kind, textLimits.name),
          columnKey:
            tableKey === undefined || column === undefined
              ? undefined
              : columnKeyOf(tableKey, [column]),
        },
      },
      {
        is: 'run',
        run: {
          invocationId: textOf(test.run, 100) ?? stamp,
          ...{ nodeKey: key, status, executed: true, completedAt: timeOf(stamp) },
          message: textOf(test.message, textLimits.name),
        },
      },
    ];
  });
}

function isDropped(said: Said): boolean {
  const dropped = said.dropped?.[0];
  return dropped !== undefined && dropped > (said.there?.[0] ?? '');
}

/** The table that columns are of. */
interface Table {
  readonly key: string;
  readonly id: string;
  readonly path: readonly string[];
}

function columnsOf(table: Table, fields: readonly unknown[]): Extracted[] {
  const found: Extracted[] = [];
  const seen = new Set<string>();
  const add = (within: readonly string[], parentKey: string, list: readonly unknown[]) => {
    for (const [at, field] of list.entries()) {
      const { name, type, description, fields: inner } = membersOf(field);
      const title = textOf(name, textLimits.name);
      if (title === undefined) continue;
      const path = [...within, title];
      const key = columnKeyOf(table.key, path);
      // Columns whose names differ in their case alone are one, as everywhere else here.
      if (seen.has(key)) continue;
      seen.add(key);
      found.push({
        is: 'resource',
        resource: {
          ...{
            line: 0,
            kind: 'column',
            key,
            parentKey,
            standing: 'named',
            title,
            sortOrder: at + 1,
          },
          type: textOf(type, textLimits.name),
          description: textOf(description, textLimits.text),
        },
      });
      if (Array.isArray(inner) && path.length < nesting) add(path, key, inner);
    }
  };
  add([], table.key, fields);
  return found;
}

/** The key of a column by the names of the columns that it lies in, and its own. */
function columnKeyOf(tableKey: string, path: readonly string[]): string {
  const text = JSON.stringify([tableKey, ...path.map(foldName)]);
  return `column:${uuidOf(createHash('sha1').update(text).digest())}`;
}

/** A key that is made of names, or of an id where they are long. */
function keyOf(kind: 'table' | 'job', path: readonly string[], id: string): string {
  const key = pathKey(kind, undefined, path);
  return key.length > textLimits.key || Buffer.byteLength(key) > textLimits.key
    ? `${kind}:${id}`
    : key;
}

/** A title; of a longer one the end, which says more of a path than its beginning. */
const titleOf = (name: string) => name.slice(-textLimits.name);

function textsOf(list: unknown): string[] | undefined {
  const texts = itemsOf(list, 100).flatMap((one) => textOf(one, textLimits.name) ?? []);
  return texts.length > 0 ? texts : undefined;
}

function hashOf(value: unknown): string {
  return uuidOf(createHash('sha1').update(JSON.stringify(value)).digest());
}
