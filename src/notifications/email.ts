// In charge of email: one message to one address, over the operator's SMTP server.

import type { Database } from '../database/database.ts';
import { DeliveryFailure, permanent } from './outbox/failure.ts';

/** The server that takes our mail, and whom it is from. */
export interface MailSettings {
  /** Such as smtp://user:password@mail.example.com:587; null where no mail is sent. */
  readonly url: string | null;
  readonly from: string;
}

const settings = new WeakMap<Database, MailSettings>();

/** Say how mail is sent; to be called at start. */
export function setMail(database: Database, mail: MailSettings): void {
  settings.set(database, mail);
}

/** Whether mail is sent at all. */
export function isMailOn(database: Database): boolean {
  return (settings.get(database)?.url ?? null) !== null;
}

/** A message to one address. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Names the message for good: whoever gets it twice can tell. */
  readonly id: string;
  /** The message that this one answers to. */
  readonly answers: string | null;
}

const timeoutMs = 10_000;

/** Send a message; answers its Message-ID. Throws DeliveryFailure, which says whether to try again. */
export async function sendMail(database: Database, mail: Mail): Promise<string> {
  const { url, from } = settings.get(database) ?? { url: null, from: '' };
  if (url === null) throw permanent('No mail is sent: the setting SMTP_URL is not set.');
  const messageId = `<${mail.id}@headwater>`;
  const limits = {
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  };
  // Most starts send no mail, and loading this takes 30 ms.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ url, ...limits });
  try {
    await transport.sendMail({
      from,
      messageId,
      to: mail.to,
      subject: mail.subject,
      text: mail.text,
      ...(mail.answers ? { inReplyTo: mail.answers, references: mail.answers } : {}),
      // Nothing of a text may make the server read files or fetch addresses.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return messageId;
  } catch (error) {
    throw mailFailure(error);
  } finally {
    transport.close();
  }
}

/** Answers of 500 and more stay what they are; all else, a login that is refused too, may pass. */
function mailFailure(error: unknown): DeliveryFailure {
  const code = fieldOf(error, 'responseCode');
  const isRefused = typeof code === 'number' && code >= 500;
  const isLogin = fieldOf(error, 'code') === 'EAUTH';
  if (isLogin) return new DeliveryFailure('The mail server refuses the login of SMTP_URL.');
  if (isRefused) return permanent(`The mail server refused the message with the code ${code}.`);
  if (typeof code === 'number') {
    return new DeliveryFailure(`The mail server took no message now, with the code ${code}.`);
  }
  return new DeliveryFailure('The mail server could not be reached.');
}

function fieldOf(error: unknown, field: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, field) : undefined;
}
