// Takes the arguments of tools as models send them.

import { z } from 'zod';

/** Names that models give to what tools have under another one. */
const otherNames: Readonly<Record<string, string>> = {
  ...{ limit: 'first', page_size: 'first', cursor: 'after', max_depth: 'depth' },
};

const property = z.object({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  items: z.object({ enum: z.array(z.string()).optional() }).optional(),
});
const shape = z.object({ properties: z.record(z.string(), property).default({}) });
const anyObject = z.record(z.string(), z.unknown());

type Property = z.output<typeof property>;

/**
 * Arguments in the form that a tool takes: null is absent, "2" is a number where one is wanted, a value alone is a list
 * of it, words of a closed set are found in any case, and `limit` is `first`. All else stays for the tool to refuse.
 */
export function tidied(input: z.ZodType, given: unknown): unknown {
  const asked = anyObject.safeParse(given);
  if (!asked.success) return given;
  const { properties } = shape.parse(
    z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
  );
  const entries = Object.entries(asked.data).flatMap(([name, value]): [string, unknown][] => {
    if (value === null) return [];
    const other = otherNames[name];
    const own = properties[name] || !other || other in asked.data ? name : other;
    const known = properties[own];
    return [[own, known ? fitted(known, value) : value]];
  });
  return Object.fromEntries(entries);
}

/** The names of a tool's arguments. */
export function argumentNames(input: z.ZodType): string[] {
  const { properties } = shape.parse(
    z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
  );
  return Object.keys(properties);
}

function fitted({ type, enum: words, items }: Property, value: unknown): unknown {
  if (type === 'array') {
    const all = Array.isArray(value) ? value : [value];
    return all.map((one) => wordOf(items?.enum, one));
  }
  if ((type === 'integer' || type === 'number') && typeof value === 'string') {
    return /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;
  }
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return wordOf(words, value);
}

function wordOf(words: readonly string[] | undefined, value: unknown): unknown {
  if (!words || typeof value !== 'string') return value;
  return words.find((word) => word.toLowerCase() === value.trim().toLowerCase()) ?? value;
}
