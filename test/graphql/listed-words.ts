// The descriptions of REST that list what a word may be, with the enum that says it.

import { readFileSync } from 'node:fs';
import {
  type DirectiveNode,
  getNamedType,
  isEnumType,
  isInputObjectType,
  Kind,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { schema } from '../../src/graphql/schema.ts';
import { filesMatching } from '../house/sources.ts';

export interface Listed {
  /** The file, and the name of the field or parameter. */
  readonly where: string;
  readonly words: readonly string[];
  /** The enum of the schema. */
  readonly type: string;
}

/** Each `One of a, b, c.` of an operation of REST. */
export function listedWords(): Listed[] {
  return filesMatching(/^src\/.*rest\.graphql$/).flatMap(({ path }) => listedIn(path));
}

function listedIn(path: string): Listed[] {
  const found: Listed[] = [];
  const list = (name: string, directives: readonly DirectiveNode[] | undefined, type: unknown) => {
    const words = wordsIn(directives);
    if (words === null) return;
    if (!isEnumType(type)) throw new Error(`${path}: ${name} lists words, and is no enum.`);
    found.push({ where: `${path}, ${name}`, words, type: type.name });
  };
  for (const definition of parse(readFileSync(path, 'utf8')).definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      const on = schema.getType(definition.typeCondition.name.value);
      if (!isInputObjectType(on)) continue;
      for (const field of definition.selectionSet.selections) {
        if (field.kind !== Kind.FIELD) continue;
        const type = on.getFields()[field.name.value]?.type;
        list(field.alias?.value ?? field.name.value, field.directives, type && getNamedType(type));
      }
    }
    if (definition.kind === Kind.OPERATION_DEFINITION) {
      const types = new Map<string, unknown>();
      const info = new TypeInfo(schema);
      const enter = {
        Variable: ({ name }: { name: { value: string } }) => {
          const type = info.getInputType();
          // The definition comes first, with its type over REST; where it is used decides.
          if (type) types.set(name.value, getNamedType(type));
        },
      };
      visit(definition, visitWithTypeInfo(info, enter));
      for (const { variable, directives } of definition.variableDefinitions ?? []) {
        list(variable.name.value, directives, types.get(variable.name.value));
      }
    }
  }
  return found;
}

function wordsIn(directives: readonly DirectiveNode[] | undefined): string[] | null {
  for (const { arguments: given = [] } of directives ?? []) {
    for (const { name, value } of given) {
      if (name.value !== 'description' || value.kind !== Kind.STRING) continue;
      const [, list] = /^One of (\w+(?:, \w+)+)\.$/.exec(value.value) ?? [];
      if (list !== undefined) return list.split(', ');
    }
  }
  return null;
}
