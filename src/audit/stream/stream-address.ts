// Where the audit log is streamed to, as the settings say.

/** Where entries are sent. */
export interface AuditReceiver {
  readonly url: URL;
  /** Signs what is sent over HTTP, as webhooks are; null for none. */
  readonly secret: string | null;
}

/** The receiver of an address. Throws, in a sentence, where it can't be one. */
export function receiverOf(address: string, secret: string | undefined): AuditReceiver {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isKnown = url !== null && /^(syslogs?|https?):$/.test(url.protocol) && url.hostname !== '';
  if (!isKnown || url.username !== '' || url.password !== '') {
    throw new Error(
      'it is an address without a login, such as syslogs://logs.example.com:6514 or https://logs.example.com/audit',
    );
  }
  return { url, secret: secret ?? null };
}
