// In charge of the rest.graphql files: found, parsed and checked against the schema, with their place.

import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type ASTNode,
  buildASTSchema,
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  GraphQLSchema,
  getDirectiveValues,
  getLocation,
  Kind,
  NoUnusedVariablesRule,
  type OperationDefinitionNode,
  parse,
  Source,
  specifiedRules,
  validate,
  visit,
} from 'graphql';

/** Everything that the rest.graphql files say, checked as one document. */
export interface Definitions {
  /** The operations as written, with the directives of directives.graphql. */
  readonly operations: readonly OperationDefinitionNode[];
  /** By fragment, what it gives as examples of its fields. */
  readonly examples: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** The same operations and fragments as the server runs them: without those directives. */
  readonly runnable: DocumentNode;
}

/** The directives and their types; `directives.graphql` beside this file says what they mean. */
export const directives = new Map(
  buildASTSchema(parse(readFileSync(new URL('directives.graphql', import.meta.url), 'utf8')), {
    assumeValid: true,
  })
    .getDirectives()
    .filter(({ name }) => ['rest', 'param', 'example'].includes(name))
    .map((directive) => [directive.name, directive]),
);

/** Each start checks 4,000 lines in 0.2 s; what was built was checked before, by the tests. */
const isBuilt = !import.meta.url.endsWith('.ts');

/**
 * Parse the files and, where the program runs from its sources, check them against the schema.
 * Throws one error that names file, line and column of everything that doesn't fit.
 */
export function readDefinitions(schema: GraphQLSchema, sources: readonly Source[]): Definitions {
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: sources.flatMap(parsed) };
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

function check(schema: GraphQLSchema, document: DocumentNode, runnable: DocumentNode): void {
  const known = new GraphQLSchema({
    ...schema.toConfig(),
    directives: [...schema.getDirectives(), ...directives.values()],
  });
  // A variable may be there to be accepted and ignored, so unused ones count in the runnable form only.
  const rules = specifiedRules.filter((rule) => rule !== NoUnusedVariablesRule);
  const errors = [
    ...validate(known, document, rules),
    ...validate(schema, runnable, [NoUnusedVariablesRule]),
  ];
  if (errors.length > 0) throw new Error(errors.map(describe).join('\n'));
}

/** Read every file of a feature folder under `root` whose name ends in `rest.graphql`. */
export function findSources(root: URL): Source[] {
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders
    .flatMap((folder) => {
      const inside = new URL(`${folder.name}/`, root);
      return readdirSync(inside)
        .filter((file) => file.endsWith('rest.graphql'))
        .map((file) => new URL(file, inside));
    })
    .sort((one, other) => (one.href < other.href ? -1 : 1))
    .map((file) => {
      const path = fileURLToPath(file);
      return new Source(readFileSync(file, 'utf8'), relative(process.cwd(), path));
    });
}

/** An error that points at a node of a rest.graphql file. */
export function misplaced(node: ASTNode, message: string): Error {
  return new Error(describe(new GraphQLError(message, { nodes: [node] })));
}

function parsed(source: Source) {
  try {
    return parse(source).definitions;
  } catch (error) {
    throw error instanceof GraphQLError ? new Error(describe(error)) : error;
  }
}

function examplesIn(fragment: FragmentDefinitionNode): Readonly<Record<string, unknown>> {
  const directive = directives.get('example');
  const given: unknown = directive && getDirectiveValues(directive, fragment)?.of;
  if (given === undefined) return {};
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return { ...given };
  throw misplaced(fragment, 'Examples are given as an object: @example(of: { name: "orders" }).');
}

function withoutDirectives(document: DocumentNode): DocumentNode {
  return visit(document, {
    VariableDefinition: (node) => (isIgnored(node.directives ?? []) ? null : undefined),
    Directive: (node) => (directives.has(node.name.value) ? null : undefined),
  });
}

function isIgnored(nodes: readonly DirectiveNode[]): boolean {
  const given = nodes.find(({ name }) => name.value === 'param')?.arguments ?? [];
  const ignored = given.find(({ name }) => name.value === 'ignored')?.value;
  return ignored?.kind === Kind.BOOLEAN && ignored.value;
}

function describe(error: GraphQLError): string {
  const node = error.nodes?.[0];
  const source = error.source ?? node?.loc?.source;
  const place = node?.loc ? getLocation(node.loc.source, node.loc.start) : error.locations?.[0];
  const where = source && place ? `${source.name}:${place.line}:${place.column}: ` : '';
  return where + error.message;
}
