// Sidebar sections of a team.

import { invalidField } from '../errors.ts';

/** The sections, all of which are shown unless a team says otherwise. */
const sections = ['home', 'catalog', 'documents', 'questions', 'glossary', 'collections'] as const;

/** Whether each section is shown. */
export type SidebarSettings = Record<(typeof sections)[number], boolean>;

/**
 * The settings of every section: what `changes` says, else what was stored, else true. Throws
 * BAD_REQUEST for a section that there is not, and for a value that is no boolean.
 */
export function mergeSections(stored: unknown, changes: unknown): SidebarSettings {
  const given = changes ?? {};
  if (!isRecord(given)) {
    throw invalidField('sidebar_settings', 'Use an object of booleans by section.');
  }
  for (const [name, value] of Object.entries(given)) {
    const field = `sidebar_settings.${name.slice(0, 60)}`;
    if (!sections.some((section) => section === name)) {
      throw invalidField(field, `This is not a section; use ${sections.join(', ')}.`);
    }
    if (typeof value !== 'boolean') throw invalidField(field, 'Use true or false.');
  }
  const before = isRecord(stored) ? stored : {};
  const shown = (section: string) => (given[section] ?? before[section]) !== false;
  return {
    home: shown('home'),
    catalog: shown('catalog'),
    documents: shown('documents'),
    questions: shown('questions'),
    glossary: shown('glossary'),
    collections: shown('collections'),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
