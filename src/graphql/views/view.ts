// The two views of the schema: the one of /graphql, and the one that REST is served from.
//
// Both are the same types with the same resolvers. Differences are marked where a thing is defined (mark.ts):
// /graphql has no numbers of pages; REST reads and writes closed sets as text, and says itself what is missing.

import {
  type GraphQLArgument,
  GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLInputField,
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
  GraphQLString,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { markOf, type View } from './mark.ts';

/** One view of the whole schema. */
export function viewFor(view: View, whole: GraphQLSchema): GraphQLSchema {
  return new ViewBuilder(view).of(whole);
}

/** Makes each type of a view once, when something leads to it. */
class ViewBuilder {
  readonly #view: View;
  readonly #objects = new Map<string, GraphQLObjectType>();
  readonly #interfaces = new Map<string, GraphQLInterfaceType>();
  readonly #inputs = new Map<string, GraphQLInputObjectType>();
  readonly #enums = new Map<string, GraphQLEnumType>();

  constructor(view: View) {
    this.#view = view;
  }

  of(whole: GraphQLSchema): GraphQLSchema {
    const root = (type: GraphQLObjectType | null | undefined) => type && this.#object(type);
    // Nothing but an interface leads to some of the types that implement it.
    const types = Object.values(whole.getTypeMap())
      .filter(isObjectType)
      .filter((type) => type.getInterfaces().length > 0);
    return new GraphQLSchema({
      ...whole.toConfig(),
      query: root(whole.getQueryType()),
      mutation: root(whole.getMutationType()),
      subscription: root(whole.getSubscriptionType()),
      types: types.map((type) => this.#object(type)),
    });
  }

  #object(type: GraphQLObjectType): GraphQLObjectType {
    return kept(this.#objects, type.name, () => {
      const { interfaces, ...config } = type.toConfig();
      return new GraphQLObjectType({
        ...config,
        interfaces: () => interfaces.map((one) => this.#interface(one)),
        fields: () => this.#fields(config.fields, type),
      });
    });
  }

  #interface(type: GraphQLInterfaceType): GraphQLInterfaceType {
    return kept(this.#interfaces, type.name, () => {
      const { interfaces, ...config } = type.toConfig();
      return new GraphQLInterfaceType({
        ...config,
        interfaces: () => interfaces.map((one) => this.#interface(one)),
        fields: () => this.#fields(config.fields, type),
      });
    });
  }

  #fields(
    configs: Record<string, GraphQLFieldConfig<unknown, unknown>>,
    type: GraphQLObjectType | GraphQLInterfaceType,
  ): Record<string, GraphQLFieldConfig<unknown, unknown>> {
    const fields: Record<string, GraphQLFieldConfig<unknown, unknown>> = {};
    for (const { name, args } of Object.values(type.getFields())) {
      const config = configs[name];
      if (!config || !this.#shows(config.extensions)) continue;
      fields[name] = {
        ...config,
        type: this.#output(config.type),
        args: Object.fromEntries(
          args
            .filter((arg) => this.#shows(arg.extensions))
            .map((arg) => [arg.name, this.#given(arg)]),
        ),
      };
    }
    return fields;
  }

  #input(type: GraphQLInputObjectType): GraphQLInputObjectType {
    return kept(
      this.#inputs,
      type.name,
      () =>
        new GraphQLInputObjectType({
          ...type.toConfig(),
          fields: () =>
            Object.fromEntries(
              Object.values(type.getFields())
                .filter((field) => this.#shows(field.extensions))
                .map((field) => [field.name, this.#given(field)]),
            ),
        }),
    );
  }

  /** An argument, or a field of an input. */
  #given(given: GraphQLArgument | GraphQLInputField): GraphQLInputFieldConfig {
    const { type, description, defaultValue, deprecationReason, extensions } = given;
    const same = { defaultValue, deprecationReason, extensions };
    if (this.#view !== 'rest') return { ...same, description, type: this.#inputType(type) };
    const { optionalInRest, saidInRest = description } = markOf(given);
    const loose = optionalInRest ? getNullableType(type) : type;
    const named = getNamedType(type);
    const isWord = isEnumType(named) && this.#isText(named, false);
    const words = isWord ? { words: named.getValues().map(({ name }) => name) } : {};
    return {
      ...same,
      extensions: { ...extensions, ...words },
      description: saidInRest,
      type: this.#inputType(loose),
    };
  }

  #shows(extensions: GraphQLFieldConfig<unknown, unknown>['extensions']): boolean {
    const { only = this.#view } = markOf({ extensions });
    return only === this.#view;
  }

  #output(type: GraphQLOutputType): GraphQLOutputType {
    if (isNonNullType(type)) return new GraphQLNonNull(this.#output(type.ofType));
    if (isListType(type)) return new GraphQLList(this.#output(type.ofType));
    if (isObjectType(type)) return this.#object(type);
    if (isInterfaceType(type)) return this.#interface(type);
    if (!isEnumType(type)) return type;
    return this.#isText(type, true) ? GraphQLString : this.#enum(type);
  }

  #inputType(type: GraphQLInputType): GraphQLInputType {
    if (isNonNullType(type)) return new GraphQLNonNull(this.#inputType(type.ofType));
    if (isListType(type)) return new GraphQLList(this.#inputType(type.ofType));
    if (isInputObjectType(type)) return this.#input(type);
    if (!isEnumType(type)) return type;
    return this.#isText(type, false) ? GraphQLString : this.#enum(type);
  }

  #isText(type: GraphQLEnumType, isAnswer: boolean): boolean {
    const { textInRest } = markOf(type);
    if (this.#view !== 'rest' || textInRest === undefined) return false;
    return isAnswer || textInRest === 'everywhere';
  }

  #enum(type: GraphQLEnumType): GraphQLEnumType {
    const { otherwise } = markOf(type);
    if (otherwise === undefined) return type;
    return kept(this.#enums, type.name, () => new NeverFailing(type, otherwise));
  }
}

/** An enum that shows one of its values for whatever another version of the program has stored. */
class NeverFailing extends GraphQLEnumType {
  readonly #otherwise: string;

  constructor(type: GraphQLEnumType, otherwise: string) {
    super(type.toConfig());
    this.#otherwise = otherwise;
  }

  override serialize(value: unknown): string {
    return this.getValue(String(value)) ? String(value) : this.#otherwise;
  }
}

/** The one that is kept by a name, or else a new one. */
function kept<T>(known: Map<string, T>, name: string, make: () => T): T {
  const found = known.get(name) ?? make();
  known.set(name, found);
  return found;
}
