// The dialect of PostgreSQL and what descends from it.
import { normalized, substringWords, typeParameters } from '../repair/phrases/expression.ts';
import { describe } from './describe.ts';

export const postgres = describe({
  name: 'postgres',
  parser: 'postgresql',
  fold: 'lower',
  aliases: ['postgresql', 'pg', 'pgsql', 'greenplum', 'cockroachdb', 'timescaledb', 'alloydb'],
  traits: ['dollarQuote', 'nestedComments', 'wholeRow', 'arrowPaths'],
  unnamed: 'function',
  values: 'user system_user sqlerrm sqlstate ctid xmin xmax tableoid',
  phrases: [normalized, substringWords, typeParameters],
});
