// Reads what a project found of the freshness of its sources.

import { parseDateTime } from '../../../text/text.ts';
import type { Extracted, ExtractedResource, ExtractedRun, RunStatus } from '../extraction.ts';
import { readFreely } from '../lenient.ts';
import { readMembers } from '../members.ts';
import { badFile } from '../place.ts';
import { type FileSource, plainBytes } from '../source.ts';
import { readMetadata } from './artifact-version.ts';
import { freshnessKey } from './project-declaration.ts';
import { type Metadata, type SourceFreshness, shapes } from './project-node.ts';
import { invocationOf, maxMessageLength } from './run-results.ts';

/** Too old is a failure of the data; that it could not be measured is an error. */
const statuses: ReadonlyMap<string, RunStatus> = new Map([
  ['pass', 'pass'],
  ['warn', 'warn'],
  ['error', 'fail'],
  ['runtime error', 'error'],
]);

/**
 * Read the freshness of sources, version 1 to 3, and of a later one what is known: for each source the result of its
 * freshness test, and when its newest data was loaded. Throws BAD_REQUEST like the readers of the other artifacts.
 */
export async function* readSourceFreshness(
  source: FileSource,
  options: { maxBytes: number; now: Date },
): AsyncGenerator<Extracted> {
  const results: SourceFreshness[] = [];
  const problems: string[] = [];
  const note = (problem: string) => problems.push(problem);
  let metadata: Metadata | undefined;
  const bytes = plainBytes(source, options.maxBytes);
  const sections = { metadata: 'whole', results: 'members' } as const;
  for await (const { section, name, place, value } of readMembers(source.file, bytes, sections)) {
    if (section === 'metadata') metadata = readMetadata('sources', place, value, note);
    else results.push(readFreely(shapes.freshness, place, `results.${name}`, value, note));
    for (const problem of problems.splice(0)) yield { is: 'problem', problem };
  }
  if (!metadata) throw badFile(source.file, 'has no metadata; it is not the freshness of sources.');
  const invocationId = invocationOf(metadata, results);
  const generatedAt = parseDateTime(metadata.generated_at ?? '') ?? options.now;
  for (const result of results) {
    const loadedAt = parseDateTime(result.max_loaded_at ?? '');
    yield { is: 'resource', resource: loadedIn(result.unique_id, loadedAt) };
    yield { is: 'run', run: { ...runOf(result, loadedAt, generatedAt), invocationId } };
  }
}

function loadedIn(key: string, externalUpdatedAt: Date | undefined): ExtractedResource {
  return { line: 1, kind: 'table', key, standing: 'addition', externalUpdatedAt };
}

function runOf(
  result: SourceFreshness,
  loadedAt: Date | undefined,
  generatedAt: Date,
): Omit<ExtractedRun, 'invocationId'> {
  const age = result.max_loaded_at_time_ago_in_s;
  const newest = loadedAt && `The newest data was loaded at ${loadedAt.toISOString()}`;
  const hours = typeof age === 'number' ? `, ${Math.round(age / 360) / 10} hours before` : '';
  return {
    nodeKey: freshnessKey(result.unique_id),
    status: statuses.get(result.status ?? '') ?? 'skipped',
    executionSeconds: result.execution_time ?? undefined,
    message: result.error?.slice(0, maxMessageLength) ?? (newest && `${newest}${hours}.`),
    completedAt: parseDateTime(result.snapshotted_at ?? '') ?? generatedAt,
    executed: true,
  };
}
