// How operations read and expect versions of records, so that no rest.graphql says it.

import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
} from 'graphql';

/** What its document does not say of an operation. */
interface OperationSort {
  readonly kind: 'query' | 'mutation';
  readonly method: string;
  readonly shape: string;
}

/** What an operation has to do with versions. */
export interface Versioning {
  /** What the server runs: the operation, asking for the version and given the expected one. */
  readonly executed: DocumentNode;
  /** Whether it answers one record that has a version. */
  readonly isVersioned: boolean;
  /** Whether it changes or deletes one record, and can be given the version it is to be at. */
  readonly isConditional: boolean;
}

/** Under this name an answer carries the version of its record; it is not sent. */
export const versionField = '_version';
/** The variable of the version that a record must be at. */
export const expectedVariable = '_expectedVersion';

const name = (value: string) => ({ kind: Kind.NAME, value }) as const;

const version: FieldNode = { kind: Kind.FIELD, alias: name(versionField), name: name('version') };
const expected: ArgumentNode = {
  kind: Kind.ARGUMENT,
  name: name('expectedVersion'),
  value: { kind: Kind.VARIABLE, name: name(expectedVariable) },
};
const variable: VariableDefinitionNode = {
  kind: Kind.VARIABLE_DEFINITION,
  variable: { kind: Kind.VARIABLE, name: name(expectedVariable) },
  type: { kind: Kind.NAMED_TYPE, name: name('Int') },
};

/** Find out what an operation has to do with versions, of which its document says nothing. */
export function versioningOf(
  schema: GraphQLSchema,
  { kind, method, shape }: OperationSort,
  document: DocumentNode,
): Versioning {
  const operation = document.definitions.find(isOperation);
  const [root, other] = operation?.selectionSet.selections ?? [];
  const none = { executed: document, isVersioned: false, isConditional: false };
  if (!operation || root?.kind !== Kind.FIELD || other) return none;
  const field = rootOf(schema, kind)?.getFields()[root.name.value];
  if (!field) return none;
  const type = getNamedType(field.type);
  const hasVersion = (isObjectType(type) || isInterfaceType(type)) && 'version' in type.getFields();
  const isVersioned = shape === 'RECORD' && hasVersion;
  const isConditional =
    method !== 'GET' &&
    method !== 'POST' &&
    field.args.some((one) => one.name === 'expectedVersion');
  if (!isVersioned && !isConditional) return none;
  const selections = root.selectionSet?.selections ?? [];
  const asked: FieldNode = {
    ...root,
    ...(isConditional ? { arguments: [...(root.arguments ?? []), expected] } : {}),
    ...(isVersioned
      ? { selectionSet: { kind: Kind.SELECTION_SET, selections: [...selections, version] } }
      : {}),
  };
  const executed: OperationDefinitionNode = {
    ...operation,
    selectionSet: { kind: Kind.SELECTION_SET, selections: [asked] },
    variableDefinitions: [
      ...(operation.variableDefinitions ?? []),
      ...(isConditional ? [variable] : []),
    ],
  };
  const others = document.definitions.filter((definition) => definition !== operation);
  return {
    executed: { kind: Kind.DOCUMENT, definitions: [executed, ...others] },
    isVersioned,
    isConditional,
  };
}

function rootOf(schema: GraphQLSchema, kind: OperationSort['kind']) {
  return kind === 'query' ? schema.getQueryType() : schema.getMutationType();
}

function isOperation(definition: DocumentNode['definitions'][number]) {
  return definition.kind === Kind.OPERATION_DEFINITION;
}
