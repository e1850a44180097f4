// In charge of what went wrong with a request, in the server's own words and code.

/** What the server refused, or that it did not answer. */
export class Refused extends Error {
  readonly code: string;
  /** What the server adds to the message, by name. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, code: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** Whether the same request may work in a moment: the server restarts or is busy. */
export function isPassing(error: unknown): boolean {
  return error instanceof Refused && ['UNREACHABLE', 'RATE_LIMITED'].includes(error.code);
}
