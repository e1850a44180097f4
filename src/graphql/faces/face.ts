// In charge of what a part of the schema says about its two readers: people at /graphql, and REST's operations.

import { z } from 'zod';

/** Who reads the schema: people and their programs at /graphql, or the operations of REST. */
export type Face = 'graphql' | 'rest';

const mark = z.object({
  only: z.enum(['graphql', 'rest']).optional(),
  optionalInRest: z.boolean().optional(),
  saidInRest: z.string().optional(),
  textInRest: z.enum(['everywhere', 'in answers']).optional(),
  otherwise: z.string().optional(),
});

/** What is said of a type, field, argument or input field. */
export type Mark = Readonly<z.infer<typeof mark>>;

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
export const checkedForRest = faces({ optionalInRest: true });

const nothing: Mark = {};

/** What is said of something, by its extensions. */
export function markOf({ extensions }: { readonly extensions: unknown }): Mark {
  const found = z.object({ face: mark }).safeParse(extensions);
  return found.success ? found.data.face : nothing;
}
