// Targets of an operation's variables: arguments and input fields, with their descriptions.

import {
  type ASTNode,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { z } from 'zod';
import type { Form } from '../../fields.ts';

/** What the variables of an operation feed. */
export interface Feeds {
  /** By the path of argument and input fields, and by every end of it: the variable there. */
  readonly names: Map<string, string>;
  /** By variable: the place of the schema that it feeds. */
  readonly places: Map<string, Fed>;
  /** By variable: the name of the input object that it is a field of. */
  readonly inputs: Map<string, string>;
}

/** What a variable feeds. */
export type Fed = GraphQLArgument | GraphQLInputField;

/** Find out which arguments and input fields the variables of an operation feed. */
export function readFeeds(schema: GraphQLSchema, operation: OperationDefinitionNode): Feeds {
  const names = new Map<string, string>();
  const places = new Map<string, Fed>();
  const inputs = new Map<string, string>();
  const info = new TypeInfo(schema);
  const path: string[] = [];
  const step = {
    enter: (node: ASTNode & { name: { value: string } }) => void path.push(node.name.value),
    leave: () => void path.pop(),
  };
  visit(
    operation,
    visitWithTypeInfo(info, {
      Argument: step,
      ObjectField: step,
      Directive: () => false,
      VariableDefinition: () => false,
      Variable: ({ name: { value: variable } }) => {
        path.forEach((_, from) => {
          const place = path.slice(from).join('.');
          if (!names.has(place)) names.set(place, variable);
        });
        const parent = getNamedType(info.getParentInputType());
        const last = path.at(-1);
        const field =
          isInputObjectType(parent) && last ? parent.getFields()[last] : info.getArgument();
        if (field) places.set(variable, field);
        if (isInputObjectType(parent)) inputs.set(variable, parent.name);
      },
    }),
  );
  return { names, places, inputs };
}

const words = z.array(z.string());

/** The words of a closed set that is text over REST; undefined for what is none. */
export function wordsOf(fed: Fed | undefined): readonly string[] | undefined {
  const { data } = words.safeParse(fed?.extensions.words);
  return data;
}

const form = z.record(z.string(), z.unknown());

/** What the schema says of the form of a place; undefined where its type says all. */
export function formOf(fed: Fed | undefined): Form | undefined {
  const { data } = form.safeParse(fed?.extensions.form);
  return data;
}
