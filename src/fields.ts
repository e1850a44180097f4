// Tables of fields: of each field of a noun its name over REST, what it holds and who sets it.

import type { Action } from './auth/permission.ts';
import { CatalogError, type FieldError, invalidField, invalidFields } from './errors.ts';
import { checkName, checkText, isWebAddress, maxDescription, maxName } from './text/text.ts';
import { isUuid, notAnId } from './text/uuid.ts';

/** The fields that people set of something, by their names in the schema. */
export interface Noun<Input, Stored, Rest extends string = string> {
  /** What a role must be allowed to set them. */
  readonly by: Action;
  readonly fields: FieldsOf<Input, Stored, Rest>;
}

/** A field for each that is stored, of what a client gives for it. */
export type FieldsOf<Input, Stored, Rest extends string = string> = {
  readonly [Name in keyof Input & keyof Stored]: Field<
    NonNullable<Input[Name]>,
    Stored[Name],
    Rest
  >;
};

/** One field: everything that is to be known of it. */
export interface Field<Given, Stored, Rest extends string = string> {
  /** Its name over REST. Errors name it by that; GraphQL's input has it in camel case. */
  readonly rest: Rest;
  /** What it holds, as docs/limits.md says it. */
  readonly holds: string;
  /** The same as keywords of JSON Schema, for documents that programs read; absent where its type says all. */
  readonly form?: Form;
  /** Whether users set it of themselves, no matter who sets it of others. */
  readonly isOwn?: boolean;
  /**
   * What is stored of what was given, where null stands for nothing; undefined leaves alone what there is.
   * Throws BAD_REQUEST that names the field and says what is allowed.
   */
  readonly check: (given: Given | null) => Stored | undefined;
}

/** Keywords of JSON Schema. */
export type Form = Readonly<Record<string, unknown>>;

/** Text that is not blank. */
const notBlank = '\\S';

/** What is stored of the fields that were given. Throws BAD_REQUEST that names every one that is wrong. */
export function checkFields<Input extends object, Stored extends object>(
  { fields }: Pick<Noun<Input, Stored>, 'fields'>,
  input: Input,
): Partial<Pick<Stored, keyof Input & keyof Stored>> {
  const checked: Partial<Pick<Stored, keyof Input & keyof Stored>> = {};
  const wrong: FieldError[] = [];
  for (const name of namesOf(fields)) {
    const given = input[name];
    if (given === undefined) continue;
    const stored = attempt(wrong, () => fields[name].check(given ?? null));
    if (stored !== undefined) checked[name] = stored;
  }
  if (wrong.length === 0) return checked;
  throw invalidFields(wrong);
}

/** Whether nothing is given but what users set of themselves. */
export function isOwnOnly<Input extends object, Stored extends object>(
  { fields }: Noun<Input, Stored>,
  input: Input,
): boolean {
  for (const name of namesOf(fields)) {
    if (input[name] !== undefined && !fields[name].isOwn) return false;
  }
  return true;
}

/** The names of a table's fields; TypeScript can't tell that it has no others. */
export function namesOf<Table extends object>(table: Table): (keyof Table & string)[] {
  return Object.keys(table).filter((name): name is keyof Table & string => name in table);
}

function attempt<T>(wrong: FieldError[], check: () => T): T | undefined {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof CatalogError) || error.fields.length === 0) throw error;
    wrong.push(...error.fields);
    return undefined;
  }
}

/** A line that names something. `missing` says that there must be one. */
export function name<Rest extends string>(
  rest: Rest,
  { max = maxName, missing = 'This must not be empty.' } = {},
): Field<string, string, Rest> {
  return {
    rest,
    holds: `1 to ${max.toLocaleString('en')} characters in one line`,
    form: { type: 'string', minLength: 1, maxLength: max, pattern: notBlank },
    check: (given) => {
      if (given === null) throw invalidField(rest, missing);
      return checkName(rest, given, max);
    },
  };
}

/** A line that names something; null and blank text for none. */
export function optionalName<Rest extends string>(rest: Rest): Field<string, string | null, Rest> {
  const named = name(rest);
  const form = { maxLength: maxName };
  return { ...named, form, check: (given) => (given?.trim() ? named.check(given) : null) };
}

/** Text; null makes it empty. */
export function text<Rest extends string>(
  rest: Rest,
  max = maxDescription,
): Field<string, string, Rest> {
  const form = { maxLength: max };
  return { rest, holds: upTo(max), form, check: (given) => checkText(rest, given ?? '', max) };
}

/** Text that there may be none of. */
export function optionalText<Rest extends string>(
  rest: Rest,
  max = maxName,
): Field<string, string | null, Rest> {
  const form = { maxLength: max };
  return { rest, holds: upTo(max), form, check: (given) => given && checkText(rest, given, max) };
}

function upTo(max: number): string {
  return `up to ${max.toLocaleString('en')} characters`;
}

/** True or false; null leaves it alone. */
export function flag<Rest extends string>(rest: Rest): Field<boolean, boolean, Rest> {
  return { rest, holds: 'true or false', check: (given) => given ?? undefined };
}

/** One of some words. */
export function choice<Rest extends string>(
  rest: Rest,
  words: readonly string[],
): Field<string, string, Rest> {
  const holds = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
  return {
    rest,
    holds,
    form: { type: 'string', enum: [...words] },
    check: (given) => {
      if (given !== null && words.includes(given)) return given;
      throw invalidField(rest, `Use ${holds}, not "${(given ?? '').slice(0, 30)}".`);
    },
  };
}

/** One of more words than can be listed; null for none. */
export function choiceOf<Rest extends string>(
  rest: Rest,
  holds: string,
  isOne: (word: string) => boolean,
): Field<string, string | null, Rest> {
  return {
    rest,
    holds,
    check: (given) => {
      if (given === null || isOne(given)) return given;
      throw invalidField(rest, `Use ${holds}, or null, not "${given.slice(0, 30)}".`);
    },
  };
}

/** A whole number in a range; null for none. */
export function whole<Rest extends string>(
  rest: Rest,
  min: number,
  max: number,
): Field<number, number | null, Rest> {
  const holds = `a whole number from ${min} to ${max.toLocaleString('en')}`;
  return {
    rest,
    holds,
    form: { minimum: min, maximum: max },
    check: (given) => {
      if (given === null || (Number.isInteger(given) && given >= min && given <= max)) return given;
      throw invalidField(rest, `Use ${holds}, or null, not ${given}.`);
    },
  };
}

/** An address that a page may link to; null for none. */
export function webAddress<Rest extends string>(
  rest: Rest,
  max: number,
): Field<string, string | null, Rest> {
  return {
    rest,
    holds: `an http or https address of ${upTo(max)}`,
    form: { format: 'uri', pattern: '^https?://', maxLength: max },
    check: (given) => {
      if (given === null || isWebAddress(checkText(rest, given, max))) return given;
      throw invalidField(
        rest,
        'Use an http or https address without blanks and without a password.',
      );
    },
  };
}

/** Any number; null for none. */
export function finite<Rest extends string>(rest: Rest): Field<number, number | null, Rest> {
  return {
    rest,
    holds: 'a number',
    check: (given) => {
      if (given === null || Number.isFinite(given)) return given;
      throw invalidField(rest, 'Use a finite number, or null.');
    },
  };
}

/** The id of something; null for nothing. That there is such a thing is for the one who stores it to see. */
export function id<Rest extends string>(
  rest: Rest,
  what: string,
): Field<string, string | null, Rest> {
  return { rest, holds: `the id of ${what}`, check: (given) => given && checkId(rest, given) };
}

/** An id as it is stored. Throws BAD_REQUEST that names the field, and not what was given for it. */
export function checkId(field: string, given: string): string {
  if (isUuid(given)) return given.toLowerCase();
  throw invalidField(field, notAnId);
}

/** A list of at most `max` items, kept without repeats as `check` gives them; null for an empty one. */
export function listOf<Rest extends string>(
  rest: Rest,
  { items, max, check }: { items: string; max: number; check: (item: string) => string },
): Field<readonly string[], string[], Rest> {
  return {
    rest,
    holds: `up to ${max} ${items}`,
    form: { maxItems: max },
    check: (given) => {
      const all = given ?? [];
      if (all.length > max) throw invalidField(rest, `Use at most ${max} entries.`);
      return [...new Set(all.map(check))];
    },
  };
}

/** A field that null and blank text leave with `blank`. */
export function unlessBlank<Stored, Rest extends string>(
  field: Field<string, Stored, Rest>,
  blank: NoInfer<Stored> | undefined,
): Field<string, Stored, Rest> {
  const isBlank = (given: string | null) => given === null || given.trim() === '';
  const { type: _type, minLength: _min, pattern: _pattern, ...form } = field.form ?? {};
  return { ...field, form, check: (given) => (isBlank(given) ? blank : field.check(given)) };
}

/** A field that null leaves alone, too. */
export function kept<Given, Stored, Rest extends string>(
  field: Field<Given, Stored, Rest>,
): Field<Given, Stored, Rest> {
  return {
    ...withNull(field),
    check: (given) => (given === null ? undefined : field.check(given)),
  };
}

/** A field that null resets. */
export function orElse<Given, Stored, Rest extends string>(
  field: Field<Given, Stored | null, Rest>,
  reset: Stored,
): Field<Given, Stored, Rest> {
  return {
    ...withNull(field),
    check: (given) => (given === null ? reset : (field.check(given) ?? reset)),
  };
}

/** The same field, whose form says nothing against null. */
function withNull<Noted extends { readonly form?: Form }>(field: Noted): Noted {
  const { type: _type, ...form } = field.form ?? {};
  return { ...field, form };
}

/** A field that users set of themselves. */
export function own<Given, Stored, Rest extends string>(
  field: Field<Given, Stored, Rest>,
): Field<Given, Stored, Rest> {
  return { ...field, isOwn: true };
}
