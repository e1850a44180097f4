// The schema builder: its plugins and scalars, and no type of the catalog.

import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import { GraphQLScalarType } from 'graphql';
import { DateTimeResolver, JSONResolver, SafeIntResolver } from 'graphql-scalars';
import type { ServerContext } from '../context.ts';
import type PrismaTypes from '../generated/pothos-types.ts';
import { getDatamodel } from '../generated/pothos-types.ts';

interface SchemaTypes {
  Context: ServerContext;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
    JSON: { Input: NonNullable<unknown>; Output: unknown };
    /** A whole number beyond the 32 bits of Int. */
    SafeInt: { Input: number; Output: number };
  };
}

/** What defines the fields of an input, for those that several inputs have. */
export type InputFields = PothosSchemaTypes.InputFieldBuilder<
  PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>,
  'InputObject'
>;

/** The one builder on which every `schema.ts` defines its part. */
export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: [PrismaPlugin],
  defaultFieldNullability: false,
  prisma: {
    client: (ctx) => ctx.database.prisma,
    dmmf: getDatamodel(),
    exposeDescriptions: { models: true, fields: true },
    onUnusedQuery: null,
  },
});

builder.addScalarType('DateTime', DateTimeResolver);
builder.addScalarType('JSON', JSONResolver);
builder.addScalarType(
  'SafeInt',
  new GraphQLScalarType({
    ...SafeIntResolver.toConfig(),
    description: 'A whole number from -(2^53-1) to 2^53-1, which JSON carries exactly.',
    // Sources have numbers of any size, and some count in fractions; a list must not fail for one.
    serialize: (value) => nearestSafeInteger(Number(value)),
  }),
);

function nearestSafeInteger(value: number): number {
  const { MAX_SAFE_INTEGER: most, MIN_SAFE_INTEGER: least } = Number;
  return Math.min(Math.max(Math.round(value), least), most);
}

builder.queryType({ description: 'Everything that can be read.' });
builder.mutationType({
  description:
    'Everything that can be changed. Each mutation is one transaction, and writes one entry of the audit ' +
    'log unless it only marks something as read.',
});
builder.subscriptionType({
  description: 'What happens while one listens, over server-sent events.',
});
