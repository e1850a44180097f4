// In charge of looking for the query that costs the server most of all those that it takes.

import { type GraphQLSchema, parse, validate } from 'graphql';
import { randomFrom } from '../../bench/random.ts';
import { costOf, maxCost } from '../../src/graphql/limits/cost.ts';
import { Maker, type Query, shrink, textOf, type Values } from './query.ts';

/** A query that was tried. */
export interface Tried {
  readonly text: string;
  /** What it cost the server and its database, in milliseconds of CPU. */
  readonly cpuMs: number;
  readonly ms: number;
  /** The code of the first error; null where it was answered. */
  readonly code: string | null;
}

export interface SearchOptions {
  readonly schema: GraphQLSchema;
  readonly values: Values;
  readonly seed: number;
  readonly candidates: number;
  /** Sends a query, and says what it cost. */
  readonly attempt: (text: string) => Promise<Tried>;
}

/** Queries of which others are made. */
const elite = 8;
/** New queries of which one is tried. */
const draws = 6;
/** The server's limit on tokens, with some for punctuation. */
const maxTokens = 4_900;

/** Try queries, half of them new and half like the dearest so far; all that were tried, dearest first. */
export async function searchDearest(options: SearchOptions): Promise<Tried[]> {
  const random = randomFrom(options.seed);
  const maker = new Maker(options.schema, options.values, random);
  const { unasked } = maker;
  if (unasked.length > 0) throw new Error(`Nothing is known to ask ${unasked.join(', ')} with.`);
  const best: { query: Query; tried: Tried }[] = [];
  const all: Tried[] = [];
  const seen = new Set<string>();
  for (
    let tries = 0;
    all.length < options.candidates && tries < options.candidates * 20;
    tries += 1
  ) {
    const parent = best[random.whole(0, Math.max(0, best.length - 1))];
    const isChanged = parent !== undefined && random.even() < 0.5;
    const query = isChanged ? maker.change(parent.query) : makeDear(options.schema, maker);
    if (makeFit(options.schema, query) === null) continue;
    const text = textOf(query);
    if (seen.has(text)) continue;
    seen.add(text);
    const tried = await options.attempt(text);
    all.push(tried);
    best.push({ query, tried });
    best.sort((a, b) => b.tried.cpuMs - a.tried.cpuMs);
    best.splice(elite);
  }
  return all.sort((a, b) => b.cpuMs - a.cpuMs);
}

/** Of some new queries that which is said to cost most. */
function makeDear(schema: GraphQLSchema, maker: Maker): Query {
  const made = Array.from({ length: draws }, () => maker.make()).map((query) => ({
    query,
    cost: makeFit(schema, query) ?? -1,
  }));
  const [dearest] = made.sort((a, b) => b.cost - a.cost);
  return dearest?.query ?? maker.make();
}

/** Make a query as small as it has to be to be taken: what it is said to cost then; null where it never is. */
function makeFit(schema: GraphQLSchema, query: Query): number | null {
  for (;;) {
    const text = textOf(query);
    if (tokensOf(text) > maxTokens) return null;
    const document = parse(text);
    if (validate(schema, document).length > 0) return null;
    const { total } = costOf(schema, document, null, {});
    if (total <= maxCost) return total;
    if (!shrink(query)) return null;
  }
}

function tokensOf(text: string): number {
  return text.match(/[\w.]+|"[^"]*"|[^\s\w]/g)?.length ?? 0;
}
