// Sign-in failures in words: for the user, the operator and the audit log.

import type { Refusals } from '../audit/refusal.ts';
import { serverViewer } from '../auth/viewer.ts';
import type { Scrub } from '../secrets/redaction.ts';
import type { RequestSource } from '../tracing/request.ts';

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

/** Who is refused, as far as that is known. */
export interface RefusedPerson {
  readonly workspaceId: string;
  /** The account that they would have got; null where it is none. */
  readonly userId: string | null;
  /** Null where only the account is known. */
  readonly email: string | null;
}

/** Somebody is not let in. The message is for them. */
export class SignInRefused extends Error {
  readonly reason: RefusalReason;
  /** What the operator is told next to it; null where there is no more to say. */
  readonly detail: string | null;
  /** Null where not even the workspace is known. */
  readonly person: RefusedPerson | null;

  constructor(
    reason: RefusalReason,
    message: string,
    detail: string | null = null,
    person: RefusedPerson | null = null,
  ) {
    super(message);
    this.reason = reason;
    this.detail = detail;
    this.person = person;
  }
}

/** A sign-in that was tried. */
export interface TriedSignIn extends RequestSource {
  /** Id of the provider, or `link`. */
  readonly method: string;
  readonly now: () => Date;
}

/** Note a refusal for the audit log of the workspace; nothing where none is known. */
export function noteRefusedSignIn(
  refusals: Refusals,
  { method, now, ...source }: TriedSignIn,
  { person, message }: SignInRefused,
): void {
  if (!person) return;
  // Who somebody is that was not let in is a claim: the server says it, not they.
  const viewer = serverViewer(person.workspaceId);
  refusals.note(
    { viewer, now, ...source, credential: 'SIGN_IN' },
    {
      activity: 'access_refused',
      request: `a sign-in by ${method}`,
      message: `${person.email ?? 'Someone'} was told: ${message}`,
      targetId: person.userId,
    },
  );
}

/** The provider did not say who somebody is. What it said is told without what `scrub` takes out of it. */
export function providerFailed(
  name: string,
  message: string,
  error: unknown,
  scrub: Scrub = (text) => text,
): SignInRefused {
  return new SignInRefused('provider', `${name}: ${message}`, scrub(detailsOf(error)));
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
