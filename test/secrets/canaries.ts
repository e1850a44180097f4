// Unmistakable secrets, found wherever and however they stand.

import { randomBytes } from 'node:crypto';

/** A secret that must be found nowhere. */
export interface Canary {
  /** What it is the secret of. */
  readonly name: string;
  readonly secret: string;
  /** The part of it that most writers leave as it is. */
  readonly core: string;
}

/** A secret with what is escaped in JSON, addresses, SQL and shells around a core of letters. */
export function canary(name: string, wrap = (core: string) => `é"${core}'\\/+ &=%`): Canary {
  const core = randomBytes(30)
    .toString('base64')
    .replaceAll(/[^a-zA-Z]/g, 'x')
    .slice(0, 32);
  return { name, core, secret: wrap(core) };
}

/** A secret that the server made, without the beginning that tells of what it is. */
export function madeSecret(name: string, secret: string): Canary {
  return { name, secret, core: secret.replace(/^(hwk|hws|whsec)_/, '').slice(0, 32) };
}

/** The canaries that a text or bytes hold: of what, in which form, and what stands before. */
export function leaksIn(where: string | Uint8Array, canaries: readonly Canary[]): string[] {
  const bytes = Buffer.from(typeof where === 'string' ? Buffer.from(where) : where);
  const lower = Buffer.from(bytes.toString('latin1').toLowerCase(), 'latin1');
  const find = (within: Buffer, name: string, [form, text]: [string, string]) => {
    const at = within.indexOf(text);
    if (at < 0) return [];
    const before = bytes.subarray(Math.max(0, at - 120), at).toString('latin1');
    return [`${name}, ${form}, after: ${before}`];
  };
  return canaries.flatMap(({ name, core }) =>
    // A part of a secret is one as well: messages are cut.
    [core.slice(0, 16), core.slice(16)].flatMap((part) => [
      ...exactForms(part).flatMap((form) => find(bytes, name, form)),
      ...lowerForms(part).flatMap((form) => find(lower, name, form)),
    ]),
  );
}

/** Base64 looks different by where in three bytes the text begins; its first and last digits mix. */
function exactForms(part: string): [string, string][] {
  return [0, 1, 2].flatMap((before): [string, string][] => {
    const whole = Buffer.from('\0'.repeat(before) + part).toString('base64');
    const inner = whole.slice(before === 0 ? 0 : before + 1, -4);
    const url = inner.replaceAll('+', '-').replaceAll('/', '_');
    return [
      ['base64', inner],
      ['base64url', url],
    ];
  });
}

/** Forms whose case does not matter. JSON and addresses leave letters alone, or write their codes. */
function lowerForms(part: string): [string, string][] {
  const text = part.toLowerCase();
  const codes = (before: string, digits: number) =>
    [...part].map((c) => before + c.charCodeAt(0).toString(16).padStart(digits, '0')).join('');
  return [
    ['as it is', text],
    ['reversed', [...text].reverse().join('')],
    ['hex', codes('', 2)],
    ['percent codes', codes('%', 2)],
    ['JSON codes', codes('\\u', 4)],
    ['two bytes a letter', [...text].join('\0')],
  ];
}
