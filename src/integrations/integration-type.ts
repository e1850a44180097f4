// The types of integrations: what they are called, what feeds them, and the form of their credentials.

import { invalidField } from '../errors.ts';
import { nearest } from '../text/nearest.ts';
import { artifactFields } from './artifacts/artifact-fields.ts';
import type { Capability } from './connectors/manifest.ts';
import { connectors, hasDriver } from './connectors/open.ts';
import { type CredentialField, type CredentialFields, formOf } from './connectors/read-fields.ts';

/** What uploads feed an integration: files of metadata, artifacts of a project, or none. */
export type Uploads = 'files' | 'artifacts' | 'nothing';

/** What feeds an integration: syncs of its source, uploads, or nothing. */
export type Feed = 'sync' | Uploads;

/** What this server knows of a type of integration. */
export interface IntegrationType {
  readonly name: string;
  /** What people call it. */
  readonly label: string;
  readonly fedBy: Feed;
  /** Whether it was built against documentation, and not yet tried against the source itself. */
  readonly isBeta: boolean;
  /** What is read of such a source besides its tables and columns. */
  readonly capabilities: readonly Capability[];
  /** Its page below `/docs/sources`, without the ending; null where there is none. */
  readonly page: string | null;
  /** The form of its credentials; empty where it takes none. */
  readonly fields: readonly CredentialField[];
}

/** Types that connect to nothing. Any other is a warehouse or a tool that uploads of metadata feed. */
const special: Readonly<Record<string, { label: string; fedBy: Uploads }>> = {
  custom: { label: 'Files', fedBy: 'files' },
  dbt_core: { label: 'dbt project', fedBy: 'artifacts' },
  openlineage: { label: 'OpenLineage', fedBy: 'nothing' },
  chat: { label: 'Chat', fedBy: 'nothing' },
};

/** The types that this server knows, those that connect to their source first. */
export const integrationTypes: readonly IntegrationType[] = [
  ...Object.entries(connectors).map(([name, { label, credentials, capabilities, ...more }]) => ({
    ...{ name, label, capabilities, fedBy: feedOfLive(name), fields: formOf(credentials) },
    isBeta: more.isBeta === true,
    page: more.page?.replace(/\.md$/, '') ?? null,
  })),
  ...Object.entries(special).map(([name, type]) => ({
    ...{ ...type, name, isBeta: false, capabilities: [], page: null },
    fields: type.fedBy === 'artifacts' ? formOf(artifactFields) : [],
  })),
];

function feedOfLive(name: string): Feed {
  return hasDriver(name) ? 'sync' : 'files';
}

const known = new Map(integrationTypes.map((type) => [type.name, type]));

/** Other names that clients use. */
const aliases: Readonly<Record<string, string>> = {
  transform: 'dbt_core',
  transform_core: 'dbt_core',
  dbt: 'dbt_core',
  slack: 'chat',
  ...Object.fromEntries(
    Object.entries(connectors).flatMap(([name, { aliases: others = [] }]) =>
      others.map((other) => [other, name]),
    ),
  ),
};

const name = /^[a-z][a-z0-9_]{0,49}$/;

/**
 * The type that a client names. Throws BAD_REQUEST for what cannot be the name of a type, and for what is
 * nearly that of a known one. Any other name is a source that this server does not know: uploads feed it.
 */
export function parseType(given: string): string {
  const type = given.trim().toLowerCase().replaceAll('-', '_');
  if (!name.test(type)) {
    throw invalidField(
      'type',
      `"${given.slice(0, 60)}" is not a type: use custom, dbt_core, chat, or the name of a source in small ` +
        'letters, digits and underscores, such as postgres.',
    );
  }
  const meant = Object.hasOwn(aliases, type) ? (aliases[type] ?? type) : type;
  const near = nearest(meant, [...known.keys(), ...Object.keys(aliases)]);
  if (near === undefined || near === meant) return meant;
  // Such as dbt_cloud: a name of its own.
  if (meant.startsWith(`${near}_`)) return meant;
  throw invalidField(
    'type',
    `"${type}" is not a type that connects; did you mean ${near}? Types with a meaning here are ` +
      `${[...known.keys()].join(', ')}. Any name that is not nearly one of these is a source that uploads feed.`,
  );
}

/** What uploads an integration of a type takes. */
export function uploadsOf(type: string): Uploads {
  return Object.hasOwn(special, type) ? (special[type]?.fedBy ?? 'files') : 'files';
}

/** The types whose artifacts may be pulled from where they lie. */
export const pulledTypes = Object.keys(special).filter((type) => uploadsOf(type) === 'artifacts');

/** The credentials of a type, as its source or the place of its artifacts reads them; undefined where it has none. */
export function credentialsOf(type: string): CredentialFields | undefined {
  if (pulledTypes.includes(type)) return artifactFields;
  return hasDriver(type) ? connectors[type]?.credentials : undefined;
}

/** What feeds integrations of a type: syncs, where this server has what connects to such a source. */
export function feedOf(type: string): Feed {
  return known.get(type)?.fedBy ?? 'files';
}

/** What people call a type. */
export function labelOf(type: string): string {
  return known.get(type)?.label ?? type.replaceAll('_', ' ');
}
