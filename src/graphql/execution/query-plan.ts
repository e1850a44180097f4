// Plans how the fields of a query are executed: worked out once for each selection and type, when first met.

import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNullableType,
  isAbstractType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
} from 'graphql';
import { completerOf } from './complete.ts';
import type { FieldPlan, ObjectPlan, Planner } from './shape.ts';

/** What fields of GraphQL's own only the root has; who asks for them is not planned. */
const ofIntrospection = new Set(['__schema', '__type']);

/** The plan of one operation, with the values that its `@skip` and `@include` have. */
export class Plan implements Planner {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly #variables: Record<string, unknown>;
  /** Of selections that stand alone, wherever in the document they are asked for. */
  readonly #known = new Map<SelectionSetNode, Map<GraphQLObjectType, ObjectPlan>>();
  #root: { readonly plan: ObjectPlan | null } | undefined;
  #fields = 0;

  constructor(
    schema: GraphQLSchema,
    operation: OperationDefinitionNode,
    fragments: Readonly<Record<string, FragmentDefinitionNode>>,
    variables: Record<string, unknown>,
  ) {
    this.schema = schema;
    this.operation = operation;
    this.fragments = fragments;
    this.#variables = variables;
  }

  /** Fields that were planned until now. */
  get size(): number {
    return this.#fields;
  }

  /** How the root is executed; null where introspection is asked for. */
  root(type: GraphQLObjectType): ObjectPlan | null {
    this.#root ??= { plan: this.#rootOf(type) };
    return this.#root.plan;
  }

  #rootOf(type: GraphQLObjectType): ObjectPlan | null {
    const plan = this.objectOf(type, [this.operation.selectionSet]);
    const isOwn = plan.fields.every(({ nodes: [node] }) => !ofIntrospection.has(nameOf(node)));
    return isOwn ? plan : null;
  }

  /** How an object of a type is executed of which so many sets of fields are asked. */
  objectOf(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): ObjectPlan {
    const [only] = sets;
    if (sets.length !== 1 || !only) return this.#plan(type, sets);
    const known = this.#known.get(only) ?? new Map<GraphQLObjectType, ObjectPlan>();
    this.#known.set(only, known);
    const before = known.get(type);
    if (before) return before;
    const plan = this.#plan(type, sets);
    known.set(type, plan);
    return plan;
  }

  #plan(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): ObjectPlan {
    const groups = new Map<string, FieldNode[]>();
    const spread = new Set<string>();
    for (const set of sets) this.#collect(type, set, groups, spread);
    const fields = [...groups].flatMap(([key, nodes]) => this.#fieldOf(type, key, nodes) ?? []);
    // A field may be called `__proto__`.
    const blank: Record<string, unknown> = groups.has('__proto__') ? Object.create(null) : {};
    let characters = 0;
    for (const { key } of fields) {
      blank[key] = null;
      characters += key.length;
    }
    return { fields, blank, characters };
  }

  #collect(
    type: GraphQLObjectType,
    { selections }: SelectionSetNode,
    groups: Map<string, FieldNode[]>,
    spread: Set<string>,
  ): void {
    for (const selection of selections) {
      if (!this.#isIncluded(selection)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value;
        const group = groups.get(key);
        if (group) group.push(selection);
        else groups.set(key, [selection]);
        continue;
      }
      const fragment = this.#fragmentOf(selection, spread);
      if (fragment && this.#isOf(type, fragment.typeCondition?.name.value)) {
        this.#collect(type, fragment.selectionSet, groups, spread);
      }
    }
  }

  /** What is spread; a fragment that was spread into the same fields before adds nothing. */
  #fragmentOf(selection: Exclude<SelectionNode, FieldNode>, spread: Set<string>) {
    if (selection.kind === Kind.INLINE_FRAGMENT) return selection;
    const name = selection.name.value;
    if (spread.has(name)) return undefined;
    spread.add(name);
    return this.fragments[name];
  }

  #isIncluded(selection: SelectionNode): boolean {
    if (!selection.directives?.length) return true;
    const skip = getDirectiveValues(GraphQLSkipDirective, selection, this.#variables);
    if (skip?.if === true) return false;
    const include = getDirectiveValues(GraphQLIncludeDirective, selection, this.#variables);
    return include?.if !== false;
  }

  #isOf(type: GraphQLObjectType, name: string | undefined): boolean {
    if (name === undefined || name === type.name) return true;
    const condition = this.schema.getType(name);
    return isAbstractType(condition) && this.schema.isSubType(condition, type);
  }

  #fieldOf(type: GraphQLObjectType, key: string, nodes: readonly FieldNode[]): FieldPlan | null {
    const name = nameOf(nodes[0]);
    const isTypeName = name === '__typename';
    const definition = isTypeName ? TypeNameMetaFieldDef : type.getFields()[name];
    if (!definition && !ofIntrospection.has(name)) return null;
    this.#fields += 1;
    const known = definition ?? TypeNameMetaFieldDef;
    const coordinate = `${type.name}.${name}`;
    const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    return {
      id: this.#fields,
      key,
      nodes,
      definition: known,
      parentType: type,
      resolve: isTypeName ? () => type.name : (known.resolve ?? null),
      isNullable: !isNonNullType(known.type),
      isList: isListType(getNullableType(known.type)),
      completer: completerOf(this, known.type, { coordinate, nodes, sets }),
    };
  }
}

function nameOf(node: FieldNode | undefined): string {
  return node?.name.value ?? '';
}
