// Takes a piece of an artifact as a shape, and says what is wrong with it.

import type { z } from 'zod';
import { badField, type FilePlace } from '../place.ts';

/** Take a piece of an artifact as a shape. Throws BAD_REQUEST naming place, path and expectation. */
export function readShape<S extends z.ZodType>(
  shape: S,
  place: FilePlace,
  path: string,
  value: unknown,
): z.output<S> {
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  const [first] = read.error.issues;
  const issue = first ? innermost(first) : { path: [], message: 'it is of the wrong type' };
  const field = shortened([path, ...issue.path].join('.'));
  throw badField(place, field, `cannot be read: ${issue.message}.`);
}

/** Something that is wrong with a value, and where in it. */
export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Of a value that may have several forms, what is wrong with the form that it comes nearest to. */
export function innermost(issue: z.core.$ZodIssue): Issue {
  const inner =
    issue.code === 'invalid_union'
      ? issue.errors.flatMap((issues) => issues.slice(0, 1))
      : issue.code === 'invalid_key'
        ? issue.issues
        : [];
  const [nearest] = inner.map(innermost).sort((one, other) => other.path.length - one.path.length);
  if (!nearest) return issue;
  return { path: [...issue.path, ...nearest.path], message: nearest.message };
}

/** The path of a field as a message shows it: names that others chose may be of any length. */
function shortened(path: string): string {
  return path.length > maxPath ? `${path.slice(0, maxPath - 3)}...` : path;
}

const maxPath = 600;
