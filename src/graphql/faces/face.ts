// In charge of what a part of the schema says about its two readers: people at /graphql, and REST's operations.

/** Who reads the schema: people and their programs at /graphql, or the operations of REST. */
export type Face = 'graphql' | 'rest';

/** What is said of a type, field, argument or input field. */
export interface Mark {
  /** Who alone sees it. */
  readonly only?: Face;
  /** Whether REST takes as optional what is required, and then refuses its absence itself or has a default. */
  readonly optionalInRest?: 'refused' | 'defaulted';
  /** What REST's documentation says of it in place of its description. */
  readonly saidInRest?: string;
  /** Where REST has text for an enum. */
  readonly textInRest?: 'everywhere' | 'in answers';
  /** The value of an enum that stands for whatever else is stored. */
  readonly otherwise?: string;
}

/** Says it in a definition: `extensions: faces({ only: 'rest' })`. */
export function faces(said: Mark): { readonly face: Mark } {
  return { face: said };
}

/** For the operations of REST alone, such as numbers of pages: nobody else sees it. */
export const restOnly = faces({ only: 'rest' });

/** For people alone: REST has another way to say it. */
export const graphqlOnly = faces({ only: 'graphql' });

/**
 * Of a required field of an input: REST takes it as optional, for the code that checks it answers in
 * REST's own words what is missing.
 */
export const checkedForRest = faces({ optionalInRest: 'refused' });

/** Of a required field of an input: REST has a default for it, as its first clients expect. */
export const defaultedForRest = faces({ optionalInRest: 'defaulted' });

type Extensions = Readonly<Record<string | symbol, unknown>> | null | undefined;

const nothing: Mark = {};

/** What is said of something, by its extensions. */
export function markOf({ extensions }: { readonly extensions: Extensions }): Mark {
  const face: unknown = extensions?.face;
  return isMark(face) ? face : nothing;
}

/** Of thousands of fields this is asked at each start, so it takes the word of the definition for the rest. */
function isMark(face: unknown): face is Mark {
  return typeof face === 'object' && face !== null;
}
