// Each mutation of the schema has its place in the explorer, or a reason why it has none.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, Kind, parse } from 'graphql';
import { expect, test } from 'vitest';
import { filesMatching, root } from '../house/sources.ts';

/** Mutations for programs alone. */
const reasons: Readonly<Record<string, string>> = {
  createServiceAccount: 'programs make accounts for programs; people name them with their keys',
  updateServiceAccount: 'as createServiceAccount',
  importArtifacts: 'files are uploaded over REST, with progress and of any size',
  importCsv: 'as importArtifacts',
  importJsonl: 'as importArtifacts',
  embedLineage: 'a site that shows lineage in its own pages asks for it with its own key',
};

/** What the explorer's operations change. */
function mutationsOf(text: string): string[] {
  return parse(text).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION && definition.operation === 'mutation'
      ? definition.selectionSet.selections.flatMap((field) =>
          field.kind === Kind.FIELD ? [field.name.value] : [],
        )
      : [],
  );
}

const schema = buildSchema(readFileSync(join(root, 'schema.graphql'), 'utf8'));
const all = Object.keys(schema.getMutationType()?.getFields() ?? {});
const files = filesMatching(/^src\/explorer\/(?!generated\/).*\.graphql$/);
const placed = new Set(files.flatMap(({ text }) => mutationsOf(text)));

test('each mutation is on a page of the explorer, or has a reason not to be', () => {
  expect(placed.size).toBeGreaterThan(50);
  const known = new Set([...placed, ...Object.keys(reasons)]);
  expect(all.filter((name) => !known.has(name))).toEqual([]);
});

test('no reason is given for what has a page, or is not in the schema', () => {
  expect(Object.keys(reasons).filter((name) => placed.has(name))).toEqual([]);
  expect(Object.keys(reasons).filter((name) => !all.includes(name))).toEqual([]);
});
