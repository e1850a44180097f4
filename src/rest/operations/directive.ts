// The directives of the rest.graphql files, and what they are given.

import { readFileSync } from 'node:fs';
import {
  buildASTSchema,
  type DirectiveNode,
  GraphQLError,
  getDirectiveValues,
  Kind,
  parse,
} from 'graphql';
import { describe } from './place.ts';

/** The directives and their types; `directives.graphql` next to this file says what they mean. */
export const directives = new Map(
  buildASTSchema(parse(readFileSync(new URL('directives.graphql', import.meta.url), 'utf8')), {
    assumeValid: true,
  })
    .getDirectives()
    .filter(({ name }) => ['rest', 'param', 'example', 'body', 'kind', 'eachKind'].includes(name))
    .map((directive) => [directive.name, directive]),
);

/** What a node may carry directives on. */
interface Marked {
  readonly directives?: readonly DirectiveNode[];
}

/** The directive of that name on a node. */
export function directiveOn(node: Marked, name: string): DirectiveNode | undefined {
  return node.directives?.find((one) => one.name.value === name);
}

/**
 * The arguments of a directive on a node, with their defaults; undefined where it does not stand.
 * Throws an error that names file and line where one is missing or of another type.
 */
export function valuesOf(
  name: string,
  node: Marked,
): Readonly<Record<string, unknown>> | undefined {
  const directive = directives.get(name);
  try {
    return directive && getDirectiveValues(directive, node);
  } catch (error) {
    throw error instanceof GraphQLError ? new Error(describe(error)) : error;
  }
}

/** Whether a parameter is accepted and has no effect. */
export function isIgnored(node: Marked): boolean {
  const given = directiveOn(node, 'param')?.arguments ?? [];
  const ignored = given.find(({ name }) => name.value === 'ignored')?.value;
  return ignored?.kind === Kind.BOOLEAN && ignored.value;
}
