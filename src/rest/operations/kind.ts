// Operations that several kinds of things have: written once, and made for each kind.

import {
  type ArgumentNode,
  type DefinitionNode,
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type ValueNode,
  visit,
} from 'graphql';
import { z } from 'zod';
import { directiveOn, valuesOf } from './directive.ts';
import { misplaced } from './place.ts';

/** A kind, as the fragment with `@kind` says it. */
interface KindOfThing {
  /** The fragment: its name is that of the kind, as in GetTable. */
  readonly fragment: FragmentDefinitionNode;
  /** What the fragment selects: the fragment of the record. */
  readonly record: SelectionNode;
  /** What stands for `kind` in the schema. */
  readonly value: ValueNode;
  /** The variable of its id: table_id. */
  readonly id: string;
  /** What stands for the words in braces. */
  readonly words: ReadonlyMap<string, string | null | undefined>;
  readonly said: z.infer<typeof kindArguments>;
}

// GraphQL has checked the types; these say them to TypeScript.
const kindArguments = z.object({
  of: z.string(),
  plural: z.string(),
  one: z.string(),
  many: z.string(),
  tag: z.string(),
  paths: z.tuple([z.string()], z.string()),
  new: z.string().nullish(),
  changed: z.string().nullish(),
  without: z.array(z.string()),
  superseded: z.boolean(),
});

/**
 * Put the operations with `@eachKind` in the place of each fragment with `@kind`, in the words of that
 * kind. An operation that a file writes out under the name of one of them stands instead of it.
 * Throws an error that names file and line where a kind isn't said in full.
 */
export function writeOutKinds(document: DocumentNode): DocumentNode {
  const templates = document.definitions.filter(isTemplate);
  const written = new Set(document.definitions.map(nameOf));
  const definitions = document.definitions.flatMap((definition): DefinitionNode[] => {
    if (isTemplate(definition)) return [];
    if (definition.kind !== Kind.FRAGMENT_DEFINITION || !directiveOn(definition, 'kind')) {
      return [definition];
    }
    const kind = readKind(definition);
    checkParameters(templates, kind);
    return templates
      .map((template) => operationOf(template, kind))
      .filter((operation) => !written.has(nameOf(operation)));
  });
  return { kind: Kind.DOCUMENT, definitions };
}

function isTemplate(definition: DefinitionNode): definition is OperationDefinitionNode {
  return (
    definition.kind === Kind.OPERATION_DEFINITION &&
    directiveOn(definition, 'eachKind') !== undefined
  );
}

function nameOf(definition: DefinitionNode): string | undefined {
  return 'name' in definition ? definition.name?.value : undefined;
}

function readKind(fragment: FragmentDefinitionNode): KindOfThing {
  const given = directiveOn(fragment, 'kind')?.arguments ?? [];
  const value = given.find(({ name }) => name.value === 'of')?.value;
  const said = kindArguments.safeParse(valuesOf('kind', fragment));
  if (!value || !said.success) throw misplaced(fragment, 'A kind has a value and paths.');
  const [record, more] = fragment.selectionSet.selections;
  if (!record || more)
    throw misplaced(fragment, 'A kind selects the fragment of its record alone.');
  const snake = fragment.name.value.replaceAll(/(?<=.)[A-Z]/g, (letter) => `_${letter}`);
  const id = `${snake.toLowerCase()}_id`;
  const { of, one, many, tag, paths, new: created, changed } = said.data;
  const words = { kind: of, one, many, tag, new: created, changed, path: paths[0], id };
  return { fragment, record, value, id, words: new Map(Object.entries(words)), said: said.data };
}

/** A parameter that no operation has is a slip of the pen, and the one that is meant would be served. */
function checkParameters(
  templates: readonly OperationDefinitionNode[],
  { fragment, said }: KindOfThing,
): void {
  const known = new Set(
    templates
      .flatMap(({ variableDefinitions = [] }) => variableDefinitions)
      .map(({ variable }) => variable.name.value),
  );
  const unknown = said.without.find((name) => !known.has(name));
  if (unknown) throw misplaced(fragment, `No operation of a kind has a parameter ${unknown}.`);
}

/** An operation of one kind: each word of the template that stands for a kind's own is replaced. */
function operationOf(
  template: OperationDefinitionNode,
  kind: KindOfThing,
): OperationDefinitionNode {
  const { fragment, said } = kind;
  const without = new Set(said.without);
  const written = (template.name?.value ?? '')
    .replace(/Kinds$/, said.plural)
    .replace(/Kind$/, fragment.name.value);
  const made: OperationDefinitionNode = visit(template, {
    VariableDefinition: ({ variable }) => (without.has(variable.name.value) ? null : undefined),
    Argument: ({ name, value }) => {
      const isLeftOut = value.kind === Kind.VARIABLE && without.has(value.name.value);
      return isLeftOut || (name.value === 'successor' && !said.superseded) ? null : undefined;
    },
    Variable: (node) => {
      const isId = node.name.value === 'kind_id';
      return isId ? { ...node, name: { kind: Kind.NAME, value: kind.id } } : undefined;
    },
    EnumValue: ({ value }) => (value === 'kind' ? kind.value : undefined),
    FragmentSpread: (spread) => (spread.name.value === 'KindRecord' ? kind.record : undefined),
    StringValue: (node) => ({ ...node, value: inWordsOf(kind, node.value) }),
    Directive: {
      enter: ({ name }) => (name.value === 'eachKind' ? null : undefined),
      leave: (node) => (node.name.value === 'rest' ? withAliases(kind, node) : undefined),
    },
  });
  // What is wrong with the whole of it is to be looked for where the kind is said.
  const { loc } = fragment;
  return { ...made, name: { kind: Kind.NAME, value: written }, ...(loc ? { loc } : {}) };
}

/** A text of the template in the words of a kind. */
function inWordsOf(kind: KindOfThing, text: string): string {
  return text.replaceAll(/\{(\w+)\}/g, (all, word: string) => kind.words.get(word) ?? all);
}

/** `@rest` of an operation with the further paths of its kind: what comes after the first is the same. */
function withAliases({ said }: KindOfThing, rest: DirectiveNode): DirectiveNode {
  const [first, ...more] = said.paths;
  const path = rest.arguments?.find(({ name }) => name.value === 'path')?.value;
  if (path?.kind !== Kind.STRING || more.length === 0) return rest;
  const values = more.map((alias) => ({ ...path, value: alias + path.value.slice(first.length) }));
  const aliases: ArgumentNode = {
    kind: Kind.ARGUMENT,
    name: { kind: Kind.NAME, value: 'aliases' },
    value: { kind: Kind.LIST, values },
  };
  return { ...rest, arguments: [...(rest.arguments ?? []), aliases] };
}
