// A tool that agents call over MCP.

import type { z } from 'zod';

/** One tool: an operation of tools.graphql, with bounds that are narrower than the schema's. */
export interface Tool {
  readonly title: string;
  /** What it does, with one example; never words that people wrote. */
  readonly description: string;
  readonly input: z.ZodType<Readonly<Record<string, unknown>>>;
  /** The variables of its operation; the arguments themselves where absent. */
  readonly variables?: (
    given: Readonly<Record<string, unknown>>,
  ) => Readonly<Record<string, unknown>>;
  /** What is said where the answer is null; absent where null is an answer. */
  readonly missing?: string;
  /** Whether it changes something, and then whether doing it twice is doing it once. */
  readonly writes?: { readonly idempotent: boolean };
}
