// Marks of types, fields and arguments: how the two views of the schema differ there.

/** A view of the schema: that of clients of /graphql, or that of the operations of REST. */
export type View = 'graphql' | 'rest';

/** How the views of a type, field, argument or input field differ. */
export interface Mark {
  /** The only view that has it. */
  readonly only?: View;
  /** REST takes a required value as optional, and either refuses its absence in its own words or has a default. */
  readonly optionalInRest?: 'refused' | 'defaulted';
  /** The description in REST's documentation, where it is another one. */
  readonly saidInRest?: string;
  /** Where REST has text for an enum. */
  readonly textInRest?: 'everywhere' | 'in answers';
  /** The value of an enum that stands for whatever else is stored. */
  readonly otherwise?: string;
}

/** Marks a definition: `extensions: views({ only: 'rest' })`. */
export function views(mark: Mark): { readonly views: Mark } {
  return { views: mark };
}

/** For the operations of REST alone, such as numbers of pages. */
export const restOnly = views({ only: 'rest' });

/** For clients of /graphql alone: REST has another way to say it. */
export const graphqlOnly = views({ only: 'graphql' });

/** A required field of an input that REST takes as optional: the code behind it says in REST's words what is missing. */
export const checkedForRest = views({ optionalInRest: 'refused' });

/** A required field of an input for which REST has a default, as its first clients expect. */
export const defaultedForRest = views({ optionalInRest: 'defaulted' });

type Extensions = Readonly<Record<string | symbol, unknown>> | null | undefined;

const nothing: Mark = {};

/** The mark of a definition, by its extensions. */
export function markOf({ extensions }: { readonly extensions: Extensions }): Mark {
  const mark: unknown = extensions?.views;
  return isMark(mark) ? mark : nothing;
}

/** Called for thousands of fields at each start, so it looks no further. */
function isMark(mark: unknown): mark is Mark {
  return typeof mark === 'object' && mark !== null;
}
