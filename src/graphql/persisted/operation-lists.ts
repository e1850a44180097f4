// The files that list operations: read once, at the start, in the forms that tools write.

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { messageOf } from '../../errors.ts';
import type { ListedOperations } from './persisted-operations.ts';

/** The settings that say what is listed; `src/config.ts` explains them. */
export interface OperationSettings {
  readonly PERSISTED_OPERATIONS: readonly string[];
  readonly PERSISTED_OPERATIONS_ONLY: boolean;
}

/** What the files list, and which of them lists what. */
export interface OperationLists extends ListedOperations {
  /** Paths of files by the ids that they give. */
  readonly files: ReadonlyMap<string, string>;
}

/** What the build writes of our own pages, next to the sources and next to the program alike. */
const ofOurPages = new URL('../../../dist/explorer/operations.json', import.meta.url);

/** `{"<id>": "<text>"}`, as Relay's compiler and GraphQL Code Generator write it. */
const plainList = z.record(z.string().min(1), z.string().min(1));

/** The manifest that Apollo's tools write. */
const manifest = z.object({
  format: z.literal('apollo-persisted-query-manifest'),
  version: z.literal(1),
  operations: z.array(z.object({ id: z.string().min(1), body: z.string().min(1) })),
});

/**
 * Read the files that PERSISTED_OPERATIONS names. Throws an Error that names the file where one can't be
 * read, is in no form that is known, or gives an id another text than a file before it.
 */
export function readOperations(settings: OperationSettings): OperationLists {
  const { PERSISTED_OPERATIONS: paths, PERSISTED_OPERATIONS_ONLY: onlyListed } = settings;
  const byId = new Map<string, string>();
  const files = new Map<string, string>();
  for (const path of paths) {
    for (const [id, text] of readList(path)) {
      if ((byId.get(id) ?? text) !== text)
        throw unusable(`${path}: ${id} is another operation in a file before.`);
      byId.set(id, text);
      files.set(id, path);
    }
  }
  return { byId, files, others: onlyListed ? readOurPages() : [], onlyListed };
}

function readList(path: string): Iterable<readonly [id: string, text: string]> {
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw unusable(`${path} can't be read as JSON: ${messageOf(error)}`);
  }
  const apollo = manifest.safeParse(given);
  if (apollo.success) return apollo.data.operations.map(({ id, body }) => [id, body] as const);
  const plain = plainList.safeParse(given);
  if (plain.success) return Object.entries(plain.data);
  throw unusable(
    `${path} is not a list of operations: it is {"<id>": "<text>"}, or a manifest of Apollo's tools`,
  );
}

function readOurPages(): readonly string[] {
  return z.array(z.string()).parse(JSON.parse(readFileSync(ofOurPages, 'utf8')));
}

function unusable(why: string): Error {
  return new Error(`Some settings cannot be used:\n  PERSISTED_OPERATIONS: ${why}`);
}
