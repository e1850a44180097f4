// Reads what a run of a project said about its nodes.

import { parseDateTime } from '../../text/text.ts';
import { readMetadata } from './artifact-version.ts';
import type { Extracted, ExtractedRun, RunStatus } from './extraction.ts';
import { readFreely } from './lenient.ts';
import { readMembers } from './members.ts';
import { badField, badFile, type FilePlace, shown } from './place.ts';
import { type Metadata, type RunNode, shapes } from './project-node.ts';
import { type FileSource, plainBytes } from './source.ts';

/** Words for the end of a node's run, over all versions, as the catalog spells them. */
const statuses: Readonly<Record<string, RunStatus>> = {
  success: 'success',
  'partial success': 'error',
  pass: 'pass',
  warn: 'warn',
  fail: 'fail',
  error: 'error',
  'runtime error': 'error',
  skipped: 'skipped',
  'no-op': 'skipped',
};

/** Commands that only compile: that they succeeded says nothing about the data. */
const compiling: ReadonlySet<string> = new Set([
  'compile',
  'generate',
  'docs',
  'parse',
  'list',
  'show',
]);

/** Longer messages are cut: a project of ten thousand nodes could else fill the memory with them. */
const maxMessageLength = 4_000;

/**
 * Read run results of version 1 to 6. Throws BAD_REQUEST naming the file and where in it, when it is
 * not JSON, another file, of another version, or when a part of it is of the wrong type.
 */
export async function* readRunResults(
  source: FileSource,
  options: { maxBytes: number },
): AsyncGenerator<Extracted> {
  const results: Result[] = [];
  const problems: string[] = [];
  const note = (problem: string) => problems.push(problem);
  let metadata: { invocationId: string; generatedAt: Date } | undefined;
  let executed = true;
  const bytes = plainBytes(source, options.maxBytes);
  const sections = { metadata: 'whole', args: 'whole', results: 'members' } as const;
  for await (const { section, name, place, value } of readMembers(source.file, bytes, sections)) {
    if (section === 'metadata') {
      metadata = readRun(place, readMetadata('run-results', place, value));
    } else if (section === 'args') {
      const isRecord = typeof value === 'object' && !Array.isArray(value);
      const args = isRecord ? value : null;
      const which = readFreely(shapes.runArguments, place, 'args', args, note)?.which;
      executed = !(which && compiling.has(which));
    } else {
      const path = `results.${name}`;
      results.push(readResult(place, path, readFreely(shapes.result, place, path, value, note)));
    }
    for (const problem of problems.splice(0)) yield { is: 'problem', problem };
  }
  if (!metadata) throw badFile(source.file, 'has no metadata; these are not run results.');
  // The arguments of the command stand behind the results, which they are needed to understand.
  const { invocationId, generatedAt } = metadata;
  for (const { completedAt = generatedAt, ...result } of results) {
    yield { is: 'run', run: { ...result, invocationId, completedAt, executed } };
  }
}

type Result = Omit<ExtractedRun, 'invocationId' | 'completedAt' | 'executed'> & {
  completedAt?: Date | undefined;
};

function readRun(place: FilePlace, metadata: Metadata) {
  const generatedAt = parseDateTime(metadata.generated_at ?? '');
  if (!generatedAt)
    throw badField(place, 'metadata.generated_at', 'must be an ISO 8601 date-time.');
  // A run that names no invocation is known by its time.
  return { invocationId: metadata.invocation_id ?? generatedAt.toISOString(), generatedAt };
}

function readResult(place: FilePlace, path: string, result: RunNode): Result {
  const status = Object.hasOwn(statuses, result.status) ? statuses[result.status] : undefined;
  if (!status) {
    const allowed = Object.keys(statuses).join(', ');
    const message = `must be one of ${allowed}, not ${shown(result.status)}.`;
    throw badField(place, `${path}.status`, message);
  }
  const { message, failures } = result;
  const completed = result.timing?.findLast((step) => step.completed_at)?.completed_at;
  return {
    nodeKey: result.unique_id,
    status,
    executionSeconds: result.execution_time ?? undefined,
    failures: failures ?? (typeof message === 'number' ? message : undefined),
    message: typeof message === 'string' ? message.slice(0, maxMessageLength) : undefined,
    completedAt: parseDateTime(completed ?? ''),
  };
}
