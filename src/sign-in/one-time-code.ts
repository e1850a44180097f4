// One-time codes: each signs one person in, once and soon.

import { createHash, randomBytes } from 'node:crypto';
import { SignInRefused } from './refused.ts';

/** How long a code works, in milliseconds. */
const codeMs = 15 * 60_000;

/** Whom a code signs in. */
export interface CodeOwner {
  readonly workspaceId: string;
  readonly userId: string;
}

/** The codes of one process. They end with it. */
export interface OneTimeCodes {
  /** Make a code. */
  make(owner: CodeOwner, now: Date): string;
  /** Whom a code signs in, who has used it with that. Throws `SignInRefused`. */
  use(code: string, now: Date): CodeOwner;
}

/** OneTimeCodes that are remembered, used ones too, so that a second use can be told from a wrong code. */
const maxCodes = 1_000;
const codeBytes = 24;

interface Made extends CodeOwner {
  readonly until: number;
  isUsed: boolean;
}

/** No codes as yet. */
export function createOneTimeCodes(): OneTimeCodes {
  const codes = new Map<string, Made>();
  // What is compared is a hash: how long it takes says nothing of the code.
  const hashOf = (code: string) => createHash('sha256').update(code).digest('hex');
  return {
    make(owner, now) {
      const code = randomBytes(codeBytes).toString('base64url');
      const [oldest] = codes.keys();
      if (codes.size >= maxCodes && oldest !== undefined) codes.delete(oldest);
      codes.set(hashOf(code), { ...owner, until: now.getTime() + codeMs, isUsed: false });
      return code;
    },
    use(code, now) {
      const made = codes.get(hashOf(code));
      const person = made ? { ...ownerOf(made), email: null } : null;
      if (!made) {
        throw new SignInRefused(
          'code',
          'This link is of another start of the server, or not complete. The newest one is in the terminal ' +
            'in which the server was started; a key signs in as well.',
        );
      }
      if (made.isUsed) {
        throw new SignInRefused(
          'code',
          'This link was already used; it works once. Restart the server for another one, or ' +
            'sign in with the key.',
          null,
          person,
        );
      }
      if (made.until < now.getTime()) {
        throw new SignInRefused(
          'expired',
          `This link worked for ${codeMs / 60_000} minutes. Restart the server for another one, or sign in ` +
            'with the key.',
          null,
          person,
        );
      }
      made.isUsed = true;
      return ownerOf(made);
    },
  };
}

function ownerOf({ workspaceId, userId }: Made): CodeOwner {
  return { workspaceId, userId };
}
