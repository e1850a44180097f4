// Warnings: what a request asked for that was taken without an effect, said next to its answer.

import type { Context } from './context.ts';
import type { FieldError } from './errors.ts';

const maxWarnings = 20;

/** Say of a field that what it holds has no effect, and why. Said twice, as by a transaction that is run again, it is there once. */
export function warn({ warnings }: Pick<Context, 'warnings'>, field: string, message: string) {
  const isThere = warnings.some((one) => one.field === field && one.message === message);
  if (!isThere && warnings.length < maxWarnings) warnings.push({ field, message });
}

/** A warning in words: the field, and what is said of it. */
export function wordsOfWarning({ field, message }: FieldError): string {
  return `${field}: ${message}`;
}
