// Values that may be promises: a continuation runs synchronously if the value is available.

/** A value, or the promise of one. */
export type MaybePromise<T> = T | Promise<T>;

/** Continue with a value: synchronously if it is available, also where `next` throws. */
export function whenReady<T, U>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return isPending(value) ? value.then(next) : next(value);
}

/** Whether a value is a promise, or what a library uses in place of one. */
export function isPending<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value;
}
