// Where a webhook sends, and in which form: the checks of what an admin gives.

import { invalidField } from '../../errors.ts';
import { checkText, checkWord } from '../../text/text.ts';
import { FORMATS, formedEvents, keyed, type WebhookFormat } from './format.ts';

/** The form of a webhook. Throws BAD_REQUEST for an unknown one, and where its service needs a key, or has none. */
export function checkFormat(
  wanted: string | null | undefined,
  key: string | null | undefined,
): WebhookFormat {
  checkWord('format', wanted, FORMATS);
  const format = FORMATS.find((one) => one === wanted) ?? 'headwater';
  if (keyed.has(format) === Boolean(key) && (!key || keyForm.test(key))) return format;
  throw invalidField(
    'key',
    keyed.has(format)
      ? `Give the key of ${format}, without blanks.`
      : `A webhook of ${format} has no key.`,
  );
}

/** Throws BAD_REQUEST where a webhook in the form of another service is to be sent what has no such form. */
export function mustHaveForm(format: string, events: readonly string[]): void {
  const without = format === 'headwater' ? [] : events.filter((one) => !formedEvents.includes(one));
  if (without.length === 0) return;
  throw invalidField(
    'events',
    `The form of ${format} has none for ${without.join(', ')}. Use some of ${formedEvents.join(', ')}.`,
  );
}

const keyForm = /^[\x21-\x7e]{1,200}$/;

/** Whether the host may be connected to is found out each time that something is sent. */
export function checkUrl(text: string): string {
  const given = checkText('url', text, 2_000).trim();
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw invalidField('url', 'Use an http or https address.');
  }
  // It is shown, and written in the audit log: a login has no place in it.
  if (url.username !== '' || url.password !== '') {
    throw invalidField('url', 'Leave out the user and the password: requests are signed.');
  }
  return url.href;
}
