// In charge of why somebody can't sign in: in words for them, and in words for the operator.

/** Reasons, of which metrics count each. */
export type RefusalReason =
  | 'account'
  | 'busy'
  | 'code'
  | 'deactivated'
  | 'domain'
  | 'email'
  | 'expired'
  | 'identity'
  | 'provider'
  | 'role'
  | 'settings'
  | 'state'
  | 'stranger';

/** Somebody is not let in. The message is for them. */
export class SignInRefused extends Error {
  readonly reason: RefusalReason;
  /** What the operator is told beside it; null where there is no more to say. */
  readonly detail: string | null;

  constructor(reason: RefusalReason, message: string, detail: string | null = null) {
    super(message);
    this.reason = reason;
    this.detail = detail;
  }
}

/** The provider did not say who somebody is. */
export function providerFailed(name: string, message: string, error: unknown): SignInRefused {
  return new SignInRefused('provider', `${name}: ${message}`, detailsOf(error));
}

/** All that an error says, down to its cause, without the bodies of answers. */
function detailsOf(error: unknown): string {
  const words: string[] = [];
  let one = error;
  for (let depth = 0; depth < 4 && one instanceof Error; depth += 1) {
    const more = 'error_description' in one ? ` (${String(one.error_description)})` : '';
    words.push(`${one.message}${more}`);
    one = one.cause;
  }
  return words.length > 0 ? [...new Set(words)].join(': ') : String(error);
}
