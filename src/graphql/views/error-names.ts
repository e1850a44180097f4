// Errors in the words of the schema: fields are named as a client of GraphQL wrote them.
//
// The code that checks names fields as REST does. A name is translated by what the failed field takes: of
// metric_type, target and owners it makes metricType, targetId and ownerIds, where there are such. Warnings, too.

import {
  type GraphQLArgument,
  GraphQLError,
  type GraphQLInputField,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { CatalogError, type FieldError } from '../../errors.ts';
import { literally } from '../../text/text.ts';

type Names = ReadonlySet<string>;

/** Answers for each field of a schema, by its name, what its arguments and their inputs are called. */
function namesGivenTo(schema: GraphQLSchema): (field: string) => Names {
  const known = new Map<string, Set<string>>();
  return (field) => {
    const found = known.get(field) ?? collected(schema, field);
    known.set(field, found);
    return found;
  };
}

/** Names that a value may have, besides those of the schema: `extensions: naming([...])`. */
export function naming(names: readonly string[]): { readonly names: readonly string[] } {
  return { names };
}

const namesIn = z.object({ names: z.array(z.string()) });

function collected(schema: GraphQLSchema, field: string): Set<string> {
  const names = new Set<string>();
  const seen = new Set<string>();
  const take = (given: GraphQLArgument | GraphQLInputField) => {
    names.add(given.name);
    const more = namesIn.safeParse(given.extensions);
    for (const name of more.success ? more.data.names : []) names.add(name);
    const type = getNamedType(given.type);
    if (!isInputObjectType(type) || seen.has(type.name)) return;
    seen.add(type.name);
    Object.values(type.getFields()).forEach(take);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    type.getFields()[field]?.args.forEach(take);
  }
  return names;
}

/**
 * A Yoga plugin: what is wrong with the input of a request is named as its schema does. Requests on another
 * schema, which are those of REST, keep the names that their documentation has.
 */
export function useSchemaNames(schema: GraphQLSchema): Plugin<Partial<Pick<Context, 'warnings'>>> {
  const given = namesGivenTo(schema);
  const renamed = (errors: readonly GraphQLError[]) =>
    errors.map((error) => inSchemaNames(error, given));
  return {
    onExecute({ args }) {
      if (args.schema !== schema) return undefined;
      return {
        onExecuteDone({ result, setResult }) {
          if (Symbol.asyncIterator in result) return;
          const { warnings = [] } = args.contextValue;
          if (!result.errors && warnings.length === 0) return;
          const errors = result.errors ? { errors: renamed(result.errors) } : {};
          if (warnings.length === 0) return setResult({ ...result, ...errors });
          const operation = getOperationAST(args.document, args.operationName);
          const names = new Set(rootFieldsOf(operation).flatMap((field) => [...given(field)]));
          const said = { warnings: fieldsInSchemaNames(warnings, names) };
          setResult({ ...result, ...errors, extensions: { ...result.extensions, ...said } });
        },
      };
    },
    onSubscribe: () => ({
      onSubscribeResult({ result, setResult }) {
        if (Symbol.asyncIterator in result || !result.errors) return;
        setResult({ ...result, errors: renamed(result.errors) });
      },
    }),
  };
}

/** The same error as GraphQL names its fields, known by the field of the answer that failed. */
function inSchemaNames(error: GraphQLError, given: (field: string) => Names): GraphQLError {
  const { nodes, source, positions, path, extensions, originalError } = error;
  const node = nodes?.[0];
  // Conflicts of versions and refusals for a time name no field, and have more to say.
  const known = originalError instanceof CatalogError && originalError.fields.length > 0;
  if (!known || node?.kind !== Kind.FIELD) return error;
  return new GraphQLError(error.message, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    path: path ?? null,
    extensions,
    originalError: translated(originalError, given(node.name.value)),
  });
}

/** Names of the fields of the root that an operation asks for by itself, and not by a fragment. */
function rootFieldsOf(operation: OperationDefinitionNode | null | undefined): string[] {
  const asked = operation?.selectionSet.selections ?? [];
  return asked.flatMap((one) => (one.kind === Kind.FIELD ? one.name.value : []));
}

function fieldsInSchemaNames(fields: readonly FieldError[], names: Names): FieldError[] {
  return fields.map(({ field, message }) => ({
    field: field
      .split('.')
      .map((step) => nameOf(step, names) ?? camelCased(step))
      .join('.'),
    message: inWords(message, names),
  }));
}

function translated({ code, message, fields }: CatalogError, names: Names): CatalogError {
  const named = fieldsInSchemaNames(fields, names);
  let said = inWords(message, names);
  fields.forEach(({ field }, at) => {
    // A client may have called it anything.
    const start = new RegExp(`(^|[.;] )${literally(field)}: `, 'g');
    said = said.replace(start, (_, end: string) => `${end}${named[at]?.field}: `);
  });
  return new CatalogError(code, said, named);
}

/** What a client wrote stands in quotes; a word outside of them that names something is translated. */
function inWords(text: string, names: Names): string {
  return text.replaceAll(/"[^"]*"|\b[a-z]+(?:_[a-z]+)+\b/g, (word) => {
    const name = word.startsWith('"') ? undefined : nameOf(word, names);
    return name ?? word;
  });
}

/** What the schema calls something that REST calls so; undefined where it has nothing of that name. */
function nameOf(rest: string, names: Names): string | undefined {
  // To REST a resource is an entity, or nothing but the end of an edge.
  const words = [rest, rest.replace('entity', 'resource'), rest.replace('_entity', '')];
  const forms = words.flatMap((word) => {
    const name = camelCased(word);
    const one = camelCased(word.replaceAll(/s(?=_|$)/g, ''));
    return [name, `${name}Id`, `${one}Ids`, `${name}Name`];
  });
  return forms.find((known) => names.has(known));
}

/** A name as the schema spells it: metric_type is metricType. */
export function camelCased(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
