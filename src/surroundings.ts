// What the operator set for all that leads out of this process: secrets, sources, mail, chat, providers.

import { join } from 'node:path';
import { messageOf } from './errors.ts';
import { parsePrivateHosts } from './network/address.ts';
import type { NetworkReach } from './network/reach.ts';
import { keyRing, type MasterKeys } from './secrets/master-key.ts';
import {
  type SignInEnvironment,
  type SignInSettings,
  signInSettingsOf,
} from './sign-in/sign-in-settings.ts';

/** Made once, at the start, and handed to whatever needs it. */
export interface Surroundings {
  /** The master keys that secrets are sealed under; read, or made, when they are first needed. */
  readonly masterKeys: () => MasterKeys;
  /** Which hosts and which files may be reached. */
  readonly reach: NetworkReach;
  readonly mail: MailSettings;
  /** Origin of the team chat's API, such as https://slack.com. */
  readonly chatBase: string;
  /** Days that an API key works where no one says otherwise; 0 for ever. */
  readonly apiKeyDays: number;
  /** How people sign in. */
  readonly signIn: SignInSettings;
  /** Lineage that runs showed ends when it was not seen for so many days, and in so many runs. */
  readonly unseenLineage: { readonly days: number; readonly runs: number };
  /** Where the audit log is streamed to; null for nowhere. */
  readonly auditReceiver: AuditReceiver | null;
  /** Where files are kept while they are read, and how many bytes one may hold. */
  readonly uploads: { readonly folder: string; readonly maxBytes: number };
}

/** The server that takes our mail, and whom it is from. */
export interface MailSettings {
  /** Such as smtp://user:password@mail.example.com:587; null where no mail is sent. */
  readonly url: string | null;
  readonly from: string;
  /** Domains that addresses of notification rules may be of; any where there are none. */
  readonly ruleDomains: readonly string[];
}

/** Where the audit log is sent. */
export interface AuditReceiver {
  readonly url: URL;
  /** Signs what is sent over HTTP, as webhooks are; null for none. */
  readonly secret: string | null;
}

/** Whether mail is sent at all. */
export function isMailOn({ mail }: Pick<Surroundings, 'mail'>): boolean {
  return mail.url !== null;
}

/** The settings that say so; `src/config.ts` explains them. */
export interface SurroundingSettings extends SignInEnvironment {
  readonly SECRETS_KEY?: string | undefined;
  readonly DATA_DIR: string;
  readonly MAX_UPLOAD_BYTES: number;
  readonly ALLOW_PRIVATE_HOSTS: string;
  readonly FILES_DIR?: string | undefined;
  readonly SMTP_URL?: string | undefined;
  readonly SMTP_FROM: string;
  readonly ALLOWED_EMAIL_DOMAINS?: readonly string[];
  readonly CHAT_API_BASE: string;
  readonly API_KEY_DAYS: number;
  readonly OPENLINEAGE_UNSEEN_DAYS: number;
  readonly OPENLINEAGE_UNSEEN_RUNS: number;
  readonly AUDIT_STREAM_URL?: string | undefined;
  readonly AUDIT_STREAM_SECRET?: string | undefined;
}

/** What the settings say of it. Throws an Error that names a wrong setting. */
export function surroundingsOf(settings: SurroundingSettings): Surroundings {
  const { SECRETS_KEY, DATA_DIR, ALLOW_PRIVATE_HOSTS, FILES_DIR, SMTP_URL, SMTP_FROM } = settings;
  return {
    masterKeys: keyRing({ secretsKey: SECRETS_KEY, dataDir: DATA_DIR }),
    reach: { privateHosts: privateHostsOf(ALLOW_PRIVATE_HOSTS), filesDir: FILES_DIR ?? null },
    mail: {
      ...{ url: SMTP_URL ?? null, from: SMTP_FROM },
      ruleDomains: settings.ALLOWED_EMAIL_DOMAINS ?? [],
    },
    chatBase: settings.CHAT_API_BASE,
    apiKeyDays: settings.API_KEY_DAYS,
    unseenLineage: {
      days: settings.OPENLINEAGE_UNSEEN_DAYS,
      runs: settings.OPENLINEAGE_UNSEEN_RUNS,
    },
    signIn: signInSettingsOf(settings, process.env),
    auditReceiver: auditReceiverOf(settings),
    uploads: { folder: join(DATA_DIR, 'uploads'), maxBytes: settings.MAX_UPLOAD_BYTES },
  };
}

function auditReceiverOf({ AUDIT_STREAM_URL: url, AUDIT_STREAM_SECRET }: SurroundingSettings) {
  return url === undefined ? null : { url: new URL(url), secret: AUDIT_STREAM_SECRET ?? null };
}

function privateHostsOf(text: string) {
  try {
    return parsePrivateHosts(text);
  } catch (error) {
    throw new Error(`Some settings cannot be used:\n  ALLOW_PRIVATE_HOSTS: ${messageOf(error)}`);
  }
}
