// The rest.graphql files: found, parsed and checked against the schema, with their place.

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  GraphQLSchema,
  Kind,
  KnownArgumentNamesRule,
  NoUnusedVariablesRule,
  type OperationDefinitionNode,
  parse,
  Source,
  specifiedRules,
  validate,
  visit,
} from 'graphql';
import { writeOutBodies } from './body-fields.ts';
import { directives, isIgnored, valuesOf } from './directive.ts';
import { writeOutKinds } from './kind.ts';
import { describe, misplaced } from './place.ts';

/** Everything that the rest.graphql files say, checked as one document, with kinds and bodies written out. */
export interface Definitions {
  /** The operations as written, with the directives of directives.graphql. */
  readonly operations: readonly OperationDefinitionNode[];
  /** By fragment, what it gives as examples of its fields. */
  readonly examples: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** The same operations and fragments as the server runs them: without those directives. */
  readonly runnable: DocumentNode;
}

/** Each start checks 4,000 lines in 0.2 s; what was built was checked before, by the tests. */
const isBuilt = !import.meta.url.endsWith('.ts');

/**
 * Parse the files and, where the program runs from its sources, check them against the schema.
 * Throws one error that names file, line and column of everything that doesn't fit.
 */
export function readDefinitions(schema: GraphQLSchema, sources: readonly Source[]): Definitions {
  const written: DocumentNode = { kind: Kind.DOCUMENT, definitions: sources.flatMap(parsed) };
  if (!isBuilt) checkArguments(schema, written);
  const document = writeOutBodies(schema, writeOutKinds(written));
  const runnable = withoutDirectives(document);
  if (!isBuilt) check(schema, document, runnable);

  const operations: OperationDefinitionNode[] = [];
  const examples = new Map<string, Readonly<Record<string, unknown>>>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
    else if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      examples.set(definition.name.value, examplesIn(definition));
    } else throw misplaced(definition, 'Only operations and fragments belong here.');
  }
  return { operations, examples, runnable };
}

/** What directives are given: those that write something out are gone from what is checked below. */
function checkArguments(schema: GraphQLSchema, written: DocumentNode): void {
  throwAll(validate(withDirectives(schema), written, [KnownArgumentNamesRule]));
}

function check(schema: GraphQLSchema, document: DocumentNode, runnable: DocumentNode): void {
  // A variable may be there to be accepted and ignored, so unused ones count in the runnable form only.
  const rules = specifiedRules.filter((rule) => rule !== NoUnusedVariablesRule);
  throwAll([
    ...validate(withDirectives(schema), document, rules),
    ...validate(schema, runnable, [NoUnusedVariablesRule]),
  ]);
}

function withDirectives(schema: GraphQLSchema): GraphQLSchema {
  return new GraphQLSchema({
    ...schema.toConfig(),
    directives: [...schema.getDirectives(), ...directives.values()],
  });
}

/** What is wrong with something that is written once is said once, however often it is written out. */
function throwAll(errors: readonly GraphQLError[]): void {
  if (errors.length > 0) throw new Error([...new Set(errors.map(describe))].join('\n'));
}

/** Read every file in a folder of a feature under `root` whose name ends in `rest.graphql`. */
export function findSources(root: URL): Source[] {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('rest.graphql'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((path) => new Source(readFileSync(path, 'utf8'), relative(process.cwd(), path)));
}

function parsed(source: Source) {
  try {
    return parse(source).definitions;
  } catch (error) {
    throw error instanceof GraphQLError ? new Error(describe(error)) : error;
  }
}

function examplesIn(fragment: FragmentDefinitionNode): Readonly<Record<string, unknown>> {
  const given = valuesOf('example', fragment)?.of;
  if (given === undefined) return {};
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return { ...given };
  throw misplaced(fragment, 'Examples are given as an object: @example(of: { name: "orders" }).');
}

function withoutDirectives(document: DocumentNode): DocumentNode {
  return visit(document, {
    VariableDefinition: (node) => (isIgnored(node) ? null : undefined),
    Directive: (node) => (directives.has(node.name.value) ? null : undefined),
  });
}
