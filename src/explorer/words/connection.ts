// The English words about the connection of a source: its credentials, and whether they work.

import { counted } from '../words.ts';

export const connectionWords = {
  title: 'Connection',
  optional: '(optional)',
  stored: 'Unchanged',
  replaces: 'Replaces the stored value when you save.',
  keepOld: (label: string) => `Keep old ${label.toLowerCase()}`,
  addPattern: 'Add pattern',
  removePattern: (pattern: string, label: string) => `Remove ${pattern} from ${label}`,
  operator: 'Ask the operator of this server to add this setting, and to restart it.',
  save: 'Save changes',
  saving: 'Saving',
  test: 'Test connection',
  testing: 'Testing …',
  discard: 'Discard',
  unsaved: 'Tested with unsaved values.',
  works: 'Connection works',
  fails: 'Connection failed',
  fix: 'Run as administrator',
  changes: (labels: readonly string[]) =>
    `${counted(labels.length, 'change')}: ${labels.join(', ')}`,
  saved: 'Saved',
  overtaken: 'its settings',
  states: { ok: 'ok', limited: 'limited', missing: 'missing' },

  strip: {
    label: 'At a glance',
    contents: 'Contents',
    lastSync: { sync: 'Last sync', other: 'Last import' },
    never: 'Never',
    lastChange: 'Last change',
    lineage: 'Lineage',
    lineageOf: (with_: string, all: string) => `${with_} of ${all}`,
    schedule: 'Schedule',
  },
  browse: (what: string) => `Browse ${what}`,
} as const;
