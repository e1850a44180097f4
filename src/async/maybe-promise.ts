// In charge of values that are often there already: whoever goes on with one at once makes no promise.

/** A value that is there, or comes. */
export type Soon<T> = T | Promise<T>;

/** Go on with a value: at once where it is there. Throws at once, too, where `next` does so then. */
export function soon<T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return isToCome(value) ? value.then(next) : next(value);
}

/** Whether a value is yet to come: of a promise, or of what a library has in place of one. */
export function isToCome<T>(value: Soon<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value;
}
