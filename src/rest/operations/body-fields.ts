// Bodies that are an input object: what a document says in a fragment becomes variables.

import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  isInputObjectType,
  Kind,
  type NameNode,
  type ObjectFieldNode,
  type OperationDefinitionNode,
  parseType,
  type TypeNode,
  type ValueNode,
  type VariableDefinitionNode,
  visit,
} from 'graphql';
import { directiveOn, isIgnored, valuesOf } from './directive.ts';
import { misplaced } from './place.ts';

/** The fragments on input types, by name, and which of them something uses. */
interface Fragments {
  readonly all: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly used: Set<string>;
}

/**
 * Write the bodies out: in the place of a variable with `@body` each field of its fragment is a variable
 * of its own, and the input object is built of them. The fragments are left out of the document.
 * Throws an error that names file and line where a fragment has no use, or a field no place.
 */
export function writeOutBodies(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const all = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    const type = schema.getType(definition.typeCondition.name.value);
    if (isInputObjectType(type)) all.set(definition.name.value, definition);
  }
  const fragments: Fragments = { all, used: new Set() };
  const definitions = document.definitions.flatMap((definition): DefinitionNode[] => {
    if (definition.kind === Kind.OPERATION_DEFINITION) {
      return [writeOut(schema, fragments, definition)];
    }
    const isBody = 'name' in definition && all.get(definition.name?.value ?? '') === definition;
    return isBody ? [] : [definition];
  });
  for (const [name, fragment] of all) {
    if (!fragments.used.has(name)) throw misplaced(fragment, `No body has the fields of ${name}.`);
  }
  return { kind: Kind.DOCUMENT, definitions };
}

function writeOut(
  schema: GraphQLSchema,
  fragments: Fragments,
  operation: OperationDefinitionNode,
): OperationDefinitionNode {
  const variables = operation.variableDefinitions ?? [];
  const own = variables.filter((variable) => !directiveOn(variable, 'body'));
  if (own.length === variables.length) return operation;
  const named = new Set(own.map(({ variable }) => variable.name.value));
  const inputs = new Map<string, ObjectFieldNode[]>();
  const variableDefinitions = variables.flatMap((variable) => {
    if (own.includes(variable)) return [variable];
    const type = inputTypeOf(schema, variable);
    const fields = fieldsOf(fragments, String(valuesOf('body', variable)?.of), variable);
    inputs.set(
      variable.variable.name.value,
      fields.filter((field) => !isIgnored(field)).map(objectFieldOf),
    );
    return fields
      .filter((field) => !named.has(documentedNameOf(field).value))
      .map((field) => variableOf(type, field));
  });
  const selectionSet = visit(operation.selectionSet, {
    Variable: ({ name }) => {
      const fields = inputs.get(name.value);
      return fields && { kind: Kind.OBJECT, fields };
    },
  });
  return { ...operation, variableDefinitions, selectionSet };
}

function inputTypeOf(schema: GraphQLSchema, node: VariableDefinitionNode): GraphQLInputObjectType {
  const inner = node.type.kind === Kind.NON_NULL_TYPE ? node.type.type : node.type;
  const type = inner.kind === Kind.NAMED_TYPE ? schema.getType(inner.name.value) : undefined;
  if (isInputObjectType(type)) return type;
  throw misplaced(node, 'A body is an input object of the schema.');
}

/** The fields of a fragment and of those that it spreads, in their order. */
function fieldsOf(
  { all, used }: Fragments,
  name: string,
  user: VariableDefinitionNode | FragmentDefinitionNode,
  outer: readonly string[] = [],
): FieldNode[] {
  const fragment = all.get(name);
  if (!fragment) throw misplaced(user, `There is no fragment ${name} on an input type.`);
  if (outer.includes(name)) throw misplaced(fragment, `${name} spreads itself.`);
  used.add(name);
  return fragment.selectionSet.selections.flatMap((selection) => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      return fieldsOf({ all, used }, selection.name.value, fragment, [...outer, name]);
    }
    if (selection.kind === Kind.FIELD && !selection.selectionSet) return [selection];
    throw misplaced(selection, 'A body has plain fields and fragments only.');
  });
}

/** A field's variable. Its type is that of the input field; what is ignored may be any text. */
function variableOf(type: GraphQLInputObjectType, field: FieldNode): VariableDefinitionNode {
  const input = type.getFields()[field.name.value];
  if (!input && !isIgnored(field)) {
    throw misplaced(field, `Field "${field.name.value}" is not defined by type "${type.name}".`);
  }
  return {
    kind: Kind.VARIABLE_DEFINITION,
    variable: { kind: Kind.VARIABLE, name: documentedNameOf(field) },
    type: typeNamed(input ? String(input.type) : 'String'),
    ...(field.directives ? { directives: field.directives.map(constant) } : {}),
    ...(field.loc ? { loc: field.loc } : {}),
  };
}

/** Few types stand in many bodies, and each start reads them. */
const types = new Map<string, TypeNode>();

function typeNamed(name: string): TypeNode {
  const type = types.get(name) ?? parseType(name, { noLocation: true });
  types.set(name, type);
  return type;
}

function objectFieldOf(field: FieldNode): ObjectFieldNode {
  const value = { kind: Kind.VARIABLE, name: documentedNameOf(field) } as const;
  return {
    kind: Kind.OBJECT_FIELD,
    name: field.name,
    value,
    ...(field.loc ? { loc: field.loc } : {}),
  };
}

function documentedNameOf(field: FieldNode): NameNode {
  return field.alias ?? field.name;
}

function constant(directive: DirectiveNode): ConstDirectiveNode {
  if (isConstant(directive)) return directive;
  throw misplaced(directive, 'What is said of a field of a body has no variables.');
}

function isConstant(directive: DirectiveNode): directive is ConstDirectiveNode {
  return (directive.arguments ?? []).every(({ value }) => !hasVariable(value));
}

function hasVariable(value: ValueNode): boolean {
  if (value.kind === Kind.LIST) return value.values.some(hasVariable);
  if (value.kind === Kind.OBJECT) return value.fields.some((field) => hasVariable(field.value));
  return value.kind === Kind.VARIABLE;
}
