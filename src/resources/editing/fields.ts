// The plain fields of a resource: which kinds have them, and what they may hold.

import type { ResourceField } from '../../auth/field-permission.ts';
import type { Action } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { invalidField } from '../../errors.ts';
import {
  checkFields as checkFieldsOf,
  choice,
  type Field,
  flag,
  listOf,
  namesOf,
  optionalText,
  orElse,
  text,
  webAddress,
  whole,
} from '../../fields.ts';
import type { Resource } from '../../generated/prisma/client.ts';
import { checkLine, checkName, checkText } from '../../text/text.ts';
import { warn } from '../../warning.ts';
import { type Kind, kinds } from '../kind.ts';
import { moment } from '../moment-field.ts';
import { termStatuses } from '../terms/term-status.ts';

/** A field of resources. Who may set it is said in field-permission.ts, by its name over REST. */
type OfKinds<Given, Stored> = Field<Given, Stored, ResourceField> & {
  /** Kinds that have the field; absent where all do. */
  readonly kinds?: readonly Kind[];
};

const warehouse: readonly Kind[] = ['database', 'schema', 'table', 'column'];
const visual: readonly Kind[] = ['dashboard_group', 'dashboard', 'chart'];

/** The longest SQL, and the longest documentation. */
const maxLong = 1_000_000;
const maxCount = Number.MAX_SAFE_INTEGER;
const maxSynonym = 200;

const title: Field<string, string, 'title'> = {
  rest: 'title',
  holds: '1 to 1,000 characters in one line',
  form: { type: 'string', minLength: 1, maxLength: 1_000, pattern: '\\S' },
  check: (given) => {
    if (given?.trim()) return checkLine('title', checkText('title', given, 1_000));
    throw invalidField('title', 'A title cannot be empty.');
  },
};

/** The fields by their names in the schema. A new one is a line here and a column of `Resource`. */
const table = {
  title,
  description: optionalText('description', 100_000),
  definition: text('definition', maxLong),
  icon: optionalText('icon', 200),
  url: webAddress('url', 4_000),
  nativeType: optionalText('native_type', 200),
  // Of so many characters each may take four bytes, and an index holds no more.
  databuilderId: optionalText('databuilder_id', 600),
  published: orElse(flag('published'), false),
  pii: orElse(flag('pii'), false),
  verified: orElse(flag('verified'), false),
  forcedUnstaleByUser: orElse(flag('forced_unstale_by_user'), false),
  databaseName: of(warehouse, optionalText('database', 1_000)),
  schemaName: of(warehouse, optionalText('schema', 1_000)),
  cluster: of(warehouse, optionalText('cluster', 1_000)),
  creationQuery: of(['table'], optionalText('creation_query', maxLong)),
  rowCount: of(warehouse, whole('row_count', 0, maxCount)),
  byteSize: of(warehouse, whole('byte_size', 0, maxCount)),
  type: of(['column', 'query', 'event_property'], optionalText('type', 2_000)),
  sortOrder: of(['column', 'event_property'], whole('sort_order', 0, 1_000_000)),
  isPk: of(['column'], orElse(flag('is_pk'), false)),
  hidden: of(['column'], orElse(flag('hidden'), false)),
  product: of(visual, optionalText('product', 1_000)),
  groupName: of(visual, optionalText('group', 1_000)),
  sql: of(['query'], optionalText('sql', maxLong)),
  dialect: of(['query'], optionalText('dialect', 100)),
  freq: of(['query'], orElse(whole('freq', 0, 2_147_483_647), 0)),
  synonyms: of(
    ['glossary'],
    listOf('synonyms', {
      items: `texts of 1 to ${maxSynonym} characters`,
      max: 50,
      check: (synonym) => checkName('synonyms', synonym, maxSynonym),
    }),
  ),
  termStatus: of(['glossary'], orElse(choice('term_status', termStatuses), 'draft')),
  formula: of(['glossary'], optionalText('formula', 10_000)),
  nextReviewAt: of(['glossary'], moment('next_review_at')),
  externalUsage: orElse(whole('external_usage', 0, maxCount), 0),
  externalUpdatedAt: moment('external_updated_at'),
} satisfies { readonly [Name in keyof Resource]?: OfKinds<never, Resource[Name]> };

/** The plain fields that people may set: absent leaves alone, null clears. */
export type Fields = {
  [Name in keyof typeof table]?: Parameters<(typeof table)[Name]['check']>[0] | undefined;
};

/** Fields as they are written: those that were given, with what stands for null where there is none. */
export type CheckedFields = Partial<Pick<Resource, keyof Fields>>;

export const resourceNoun: {
  readonly by: Action;
  readonly fields: {
    readonly [Name in keyof Fields]-?: OfKinds<NonNullable<Fields[Name]>, Resource[Name]>;
  };
} = { by: 'edit resources', fields: table };

function of<Given, Stored>(kinds: readonly Kind[], field: Field<Given, Stored, ResourceField>) {
  return { ...field, kinds };
}

/**
 * Check the fields that a client gave for a resource of a kind. Throws BAD_REQUEST that names every
 * field that is wrong: too long, not text, out of range. A field that the kind doesn't have is left
 * out, with a warning: clients send the record of one kind to another.
 */
export function checkFields(ctx: Context, kind: Kind, given: Fields): CheckedFields {
  for (const name of namesOf(resourceNoun.fields)) {
    const { rest, kinds: having = [kind] } = resourceNoun.fields[name];
    if (having.includes(kind) || comparable(given[name] ?? null) === null) continue;
    const others = having.map((one) => kinds[one].label).join(', ');
    warn(ctx, rest, `This has no effect on a ${kinds[kind].label}. Kinds that have it: ${others}.`);
  }
  return checkFieldsOf(resourceNoun, givenTo(kind, given));
}

/** What was given without the fields that a kind doesn't have. */
function givenTo(kind: Kind, given: Fields): Fields {
  const own = { ...given };
  for (const name of namesOf(resourceNoun.fields)) {
    if (resourceNoun.fields[name].kinds?.includes(kind) === false) delete own[name];
  }
  return own;
}

/**
 * The fields that a change makes different from what they are. Anyone who sends back what they read, or says
 * of something new that it has nothing, sets nothing.
 */
export function fieldsChanged(kind: Kind, given: Fields, before: Fields): ResourceField[] {
  const own = givenTo(kind, given);
  return namesOf(resourceNoun.fields)
    .filter((name) => own[name] !== undefined && comparable(own[name]) !== comparable(before[name]))
    .map((name) => resourceNoun.fields[name].rest);
}

/** No text, no number, no and an empty list are as good as nothing. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? null : JSON.stringify(value);
  return value instanceof Date ? value.getTime() : value || null;
}
