// Lenient reading of free project fields: what can't be read is left out and reported.
//
// A project's configuration is whatever its templates made of it. What a node is, where it lies and what it
// depends on are read strictly: a mistake there would make another catalog.

import type { z } from 'zod';
import { innermost, readShape } from './artifacts/artifact-shape.ts';
import { badField, type FilePlace } from './place.ts';

/** Fields of which a project may say anything. */
const free: ReadonlySet<PropertyKey> = new Set([
  ...[
    'config',
    'docs',
    'meta',
    'source_meta',
    'tags',
    'group',
    'access',
    'severity',
    'constraints',
  ],
  ...['description', 'source_description', 'label', 'maturity', 'url', 'owner', 'loader', 'type'],
  ...['data_type', 'primary_key', 'original_file_path', 'kwargs', 'type_params', 'version'],
  ...['sql', 'expression', 'calculation_method', 'raw_sql', 'compiled_sql', 'compiled_code'],
  ...['raw_code', 'contract', 'deprecation_date', 'latest_version', 'relation_name', 'language'],
  ...['freshness', 'loaded_at_field', 'model'],
  // Of what a warehouse and a run say of a node.
  ...['index', 'stats', 'message', 'failures', 'execution_time', 'timing', 'which', 'status'],
  ...['max_loaded_at', 'snapshotted_at', 'max_loaded_at_time_ago_in_s', 'error'],
]);

/** Called with each thing that is left out. */
export type NoteProblem = (problem: string) => void;

/** What is left out in one node is reported up to this many times. */
const maxNoted = 3;
/** A value that is wrong at one place may be wrong around it as well, but not deeper than nodes are. */
const maxRounds = 10;

/**
 * Take a node of a project as a shape, as `readShape` does; what is of the wrong type in a free field is
 * taken out of the value, and reported to `note`.
 */
export function readFreely<S extends z.ZodType>(
  shape: S,
  place: FilePlace,
  path: string,
  value: unknown,
  note: NoteProblem,
): z.output<S> {
  let noted = 0;
  for (let round = 0; round < maxRounds; round += 1) {
    const read = shape.safeParse(value);
    if (read.success) return read.data;
    const issues = read.error.issues.map(innermost);
    if (!issues.every((issue) => isFree(issue.path))) break;
    // The last of a list first, so that the places of the others hold.
    for (const issue of issues.toReversed()) {
      const at = leaveOut(value, issue.path);
      noted += 1;
      if (noted > maxNoted) continue;
      note(badField(place, [path, ...at].join('.'), `is left out: ${issue.message}.`).message);
    }
  }
  return readShape(shape, place, path, value);
}

/** Whether a path leads into a free field. After `columns` comes the name of a column, not of a field. */
function isFree(path: readonly PropertyKey[]): boolean {
  return path.some((name, at) => free.has(name) && path[at - 1] !== 'columns');
}

/** Take what a path leads to out of a value, as far as there is such a path; where that was. */
function leaveOut(value: unknown, path: readonly PropertyKey[]): PropertyKey[] {
  let holder = value;
  for (const [at, name] of path.entries()) {
    if (typeof holder !== 'object' || holder === null) return path.slice(0, at);
    const isLast = at === path.length - 1;
    if (isLast && Array.isArray(holder)) holder.splice(Number(name), 1);
    else if (isLast) Reflect.deleteProperty(holder, name);
    else holder = Reflect.get(holder, name);
  }
  return [...path];
}
