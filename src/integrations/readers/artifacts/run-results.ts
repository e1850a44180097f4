// Reads what a run of a project said about its nodes.

import { createHash } from 'node:crypto';
import { parseDateTime } from '../../../text/text.ts';
import type { Extracted, ExtractedRun, RunStatus } from '../extraction.ts';
import { readFreely } from '../lenient.ts';
import { readMembers } from '../members.ts';
import { badFile, shown } from '../place.ts';
import { type FileSource, plainBytes } from '../source.ts';
import { readMetadata } from './artifact-version.ts';
import { type Metadata, type RunNode, shapes } from './project-node.ts';

/** Words for the end of a node's run, over all versions, as the catalog spells them. */
const statuses: ReadonlyMap<string, RunStatus> = new Map([
  ['success', 'success'],
  ['partial success', 'error'],
  ['pass', 'pass'],
  ['warn', 'warn'],
  ['fail', 'fail'],
  ['error', 'error'],
  ['runtime error', 'error'],
  ['skipped', 'skipped'],
  ['no-op', 'skipped'],
  // Its inputs have not changed since an earlier run, whose result holds.
  ['reused', 'skipped'],
  ['cancelled', 'skipped'],
]);

/** Unknown words that are named; a file may hold any number of them. */
const maxWords = 20;

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
export const maxMessageLength = 4_000;

/**
 * Read run results of version 1 to 6, and of a later one what is known. A node whose status is not known counts as
 * skipped, and the status is reported. Throws BAD_REQUEST naming the file and where in it, when it is not JSON, another
 * file, or when a part of it is of the wrong type.
 */
export async function* readRunResults(
  source: FileSource,
  options: { maxBytes: number; now: Date },
): AsyncGenerator<Extracted> {
  const results: Result[] = [];
  const problems: string[] = [];
  const note = (problem: string) => problems.push(problem);
  const unknown = new Map<string, number>();
  let metadata: Metadata | undefined;
  let executed = true;
  const bytes = plainBytes(source, options.maxBytes);
  const sections = { metadata: 'whole', args: 'whole', results: 'members' } as const;
  for await (const { section, name, place, value } of readMembers(source.file, bytes, sections)) {
    if (section === 'metadata') {
      metadata = readMetadata('run-results', place, value, note);
    } else if (section === 'args') {
      const isRecord = typeof value === 'object' && !Array.isArray(value);
      const args = isRecord ? value : null;
      const which = readFreely(shapes.runArguments, place, 'args', args, note)?.which;
      executed = !(which && compiling.has(which));
    } else {
      const node = readFreely(shapes.result, place, `results.${name}`, value, note);
      if (!statuses.has(node.status ?? '')) {
        const word = shown(node.status ?? null);
        unknown.set(word, (unknown.get(word) ?? 0) + 1);
      }
      results.push(readResult(node));
    }
    for (const problem of problems.splice(0)) yield { is: 'problem', problem };
  }
  if (!metadata) throw badFile(source.file, 'has no metadata; these are not run results.');
  for (const [word, count] of [...unknown].slice(0, maxWords)) {
    const have = count === 1 ? '1 result has' : `${count} results have`;
    const problem = `${source.file}: ${have} the status ${word}, which is not known, and is taken as skipped.`;
    yield { is: 'problem', problem };
  }
  // The arguments of the command stand behind the results, which they are needed to understand.
  const invocationId = invocationOf(metadata, results);
  const generatedAt = parseDateTime(metadata.generated_at ?? '') ?? options.now;
  for (const { completedAt = generatedAt, ...result } of results) {
    yield { is: 'run', run: { ...result, invocationId, completedAt, executed } };
  }
}

type Result = Omit<ExtractedRun, 'invocationId' | 'completedAt' | 'executed'> & {
  completedAt?: Date | undefined;
};

/** What names a run: its own id, or else its time, or else all that it says: the same file is the same run. */
export function invocationOf(metadata: Metadata, results: readonly object[]): string {
  const digest = () => createHash('sha256').update(JSON.stringify(results)).digest('hex');
  const generatedAt = parseDateTime(metadata.generated_at ?? '');
  return metadata.invocation_id ?? generatedAt?.toISOString() ?? digest();
}

function readResult(result: RunNode): Result {
  const { message, failures, status } = result;
  const completed = result.timing?.findLast((step) => step.completed_at)?.completed_at;
  return {
    nodeKey: result.unique_id,
    status: statuses.get(status ?? '') ?? 'skipped',
    executionSeconds: result.execution_time ?? undefined,
    failures: failures ?? (typeof message === 'number' ? message : undefined),
    message: typeof message === 'string' ? message.slice(0, maxMessageLength) : undefined,
    completedAt: parseDateTime(completed ?? ''),
  };
}
