// Tells which columns of resources an answer can show, from the names of the fields that are asked for.

import {
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { z } from 'zod';

type Of = Pick<GraphQLResolveInfo, 'schema' | 'operation' | 'fragments'>;

/** Columns by the name of the field that needs them; null where no one says which it needs. */
type ByField = ReadonlyMap<string, readonly string[] | null>;

/**
 * The columns that resources need for all that an operation asks for, wherever it does; null
 * where it asks for a field of which that is not known. A field of another type that has the same name
 * counts as well: a column too many is no harm.
 */
export function shownOf(info: Of): ReadonlySet<string> | null {
  const { operation } = info;
  const before = known.get(operation);
  if (before) return before.columns;
  const columns = columnsAsked(info);
  known.set(operation, { columns });
  return columns;
}

const known = new WeakMap<
  OperationDefinitionNode,
  { readonly columns: ReadonlySet<string> | null }
>();

function columnsAsked({ schema, operation, fragments }: Of): ReadonlySet<string> | null {
  const byField = columnsByField(schema);
  const columns = new Set<string>();
  let isKnown = true;
  const parts: (OperationDefinitionNode | FragmentDefinitionNode)[] = [operation];
  for (const part of [...parts, ...Object.values(fragments)]) {
    visit(part, {
      Field({ name }) {
        const needed = byField.get(name.value);
        if (needed === null) isKnown = false;
        for (const column of needed ?? []) columns.add(column);
      },
    });
  }
  return isKnown ? columns : null;
}

const schemas = new WeakMap<GraphQLSchema, ByField>();

function columnsByField(schema: GraphQLSchema): ByField {
  const before = schemas.get(schema);
  if (before) return before;
  const found = new Map<string, readonly string[] | null>();
  const add = (name: string, columns: readonly string[] | null) => {
    const others = found.get(name);
    const all = others === null || columns === null ? null : [...(others ?? []), ...columns];
    found.set(name, all);
  };
  const type = schema.getType('Resource');
  const types = isInterfaceType(type) ? schema.getPossibleTypes(type) : [];
  for (const field of types.flatMap((one) => Object.values(one.getFields()))) {
    add(field.name, columnsOfField(field));
  }
  // Fields of others say so where they read a resource, as those of a hit do.
  for (const one of Object.values(schema.getTypeMap())) {
    if (!isObjectType(one) || types.includes(one)) continue;
    for (const { name, extensions } of Object.values(one.getFields())) {
      const said = saying.safeParse(extensions);
      if (said.success) add(name, said.data.columns);
    }
  }
  schemas.set(schema, found);
  return found;
}

const saying = z.object({ columns: z.array(z.string()) });
/** Pothos says so of a field that is a property of its object. */
const exposing = z.object({ pothosExposedField: z.string() });

function columnsOfField({ extensions }: GraphQLField<unknown, unknown>): readonly string[] | null {
  const said = saying.safeParse(extensions);
  if (said.success) return said.data.columns;
  const exposed = exposing.safeParse(extensions);
  return exposed.success ? [exposed.data.pothosExposedField] : null;
}
