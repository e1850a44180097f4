// A tool that agents call over MCP.

import type { z } from 'zod';

/** What a name stands for. */
export interface NamedResource {
  readonly id: string;
  readonly title: string;
}

/** One tool: an operation of tools.graphql, with bounds that are narrower than the schema's. */
export interface Tool {
  readonly title: string;
  /** What it does, with one example; never words that people wrote. */
  readonly description: string;
  readonly input: z.ZodType<Readonly<Record<string, unknown>>>;
  /** Arguments that are ids of resources, or lists of them: names are taken as well. */
  readonly names?: readonly string[];
  /** Whether the titles of what `names` stands for are needed, also where ids are given. */
  readonly titled?: boolean;
  /** Arguments that are ids of tags. */
  readonly tags?: readonly string[];
  /** The variables of its operation, of arguments and of what they name by id; the arguments themselves where absent. */
  readonly variables?: (
    given: Readonly<Record<string, unknown>>,
    named: ReadonlyMap<string, NamedResource>,
  ) => Readonly<Record<string, unknown>>;
  /** What is said where the answer is null; absent where null is an answer. */
  readonly missing?: string;
  /** Whether it changes something, and then whether doing it twice is doing it once. */
  readonly writes?: { readonly idempotent: boolean };
}
