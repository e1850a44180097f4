// Email: one message to one address, over the operator's SMTP server.

import type { MailSettings } from '../surroundings.ts';
import { DeliveryFailure, permanent } from './outbox/failure.ts';

/** A message to one address. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for programs that show it, with the picture as `cid:chart`; null for the text alone. */
  readonly html: string | null;
  /** A PNG file that the HTML shows; null for none. */
  readonly picture: Buffer | null;
  /** Names the message for good: anyone who gets it twice can tell. */
  readonly id: string;
  /** The message that this one answers to. */
  readonly answers: string | null;
}

const timeoutMs = 10_000;

/** Send a message; answers its Message-ID. Throws DeliveryFailure, which says whether to try again. */
export async function sendMail({ url, from }: MailSettings, mail: Mail): Promise<string> {
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
      ...(mail.html === null ? {} : { html: mail.html }),
      ...(mail.picture === null
        ? {}
        : { attachments: [{ filename: 'chart.png', content: mail.picture, cid: 'chart' }] }),
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
    return new DeliveryFailure(
      `The mail server did not accept the message for now, with the code ${code}.`,
    );
  }
  return new DeliveryFailure('The mail server could not be reached.');
}

function fieldOf(error: unknown, field: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, field) : undefined;
}
