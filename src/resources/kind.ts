// The kinds of resources: what each is called, where it may lie and who may hold it.

import { invalidField } from '../errors.ts';

interface KindRule {
  /** Name of its GraphQL type. */
  readonly type: string;
  /** What people call one of it. */
  readonly label: string;
  /** Kinds that may be its parent. */
  readonly parents: readonly string[];
  /** True when it belongs to an integration, as a rule. */
  readonly extracted: boolean;
}

/**
 * One table of kinds. The parents are the hierarchy rules of the API; that a database takes a schema
 * as its parent is accepted because the API's reference says so.
 */
export const kinds = {
  database: { type: 'Database', label: 'database', parents: ['schema'], extracted: true },
  schema: { type: 'Schema', label: 'schema', parents: ['database'], extracted: true },
  table: { type: 'Table', label: 'table', parents: ['schema'], extracted: true },
  column: { type: 'Column', label: 'column', parents: ['table', 'column'], extracted: true },
  dashboard_group: {
    type: 'DashboardGroup',
    label: 'dashboard group',
    parents: [],
    extracted: true,
  },
  dashboard: {
    type: 'Dashboard',
    label: 'dashboard',
    parents: ['dashboard_group'],
    extracted: true,
  },
  chart: { type: 'Chart', label: 'chart', parents: ['dashboard'], extracted: true },
  query: { type: 'QueryResource', label: 'query', parents: [], extracted: true },
  document: { type: 'Document', label: 'document', parents: ['document'], extracted: false },
  question: { type: 'Question', label: 'question', parents: [], extracted: false },
  question_reply: {
    type: 'QuestionReply',
    label: 'question reply',
    parents: ['question'],
    extracted: false,
  },
  category: { type: 'EventCategory', label: 'event category', parents: [], extracted: true },
  event: { type: 'Event', label: 'event', parents: ['category'], extracted: true },
  event_property: {
    type: 'EventProperty',
    label: 'event property',
    parents: ['event'],
    extracted: true,
  },
  glossary: {
    type: 'GlossaryTerm',
    label: 'glossary term',
    parents: ['glossary'],
    extracted: false,
  },
  collection: {
    type: 'Collection',
    label: 'collection',
    parents: ['collection'],
    extracted: false,
  },
  job: { type: 'PipelineJob', label: 'job', parents: ['job'], extracted: true },
} as const satisfies Record<string, KindRule>;

/** A kind of resource, spelled as `entity_type` is in the API. */
export type Kind = keyof typeof kinds;

/** All kinds, in the order in which people read them. */
export const kindNames = Object.keys(kinds).filter(isKind);

/** Kinds that are parts of what they lie in: they are published and unpublished with it. */
export const partKinds: readonly Kind[] = ['column', 'event_property', 'question_reply'];

/** Whether resources of a kind may have parts. */
export function hasParts(kind: string): boolean {
  return partKinds.some((part) => kinds[part].parents.some((parent) => parent === kind));
}

/** What people say to each other: anyone but a guest may, and all see it. */
export const conversations = ['question', 'question_reply'] as const;

/** Whether a resource of a kind is a question or a reply. */
export function isConversation(kind: string): boolean {
  return conversations.some((one) => one === kind);
}

/** Whether a string names a kind. */
export function isKind(value: string): value is Kind {
  return Object.hasOwn(kinds, value);
}

/** The kind that a string names. Throws BAD_REQUEST with the list of kinds for anything else. */
export function parseKind(value: string, field = 'entity_type'): Kind {
  if (isKind(value)) return value;
  throw invalidField(field, `"${value}" is not a kind; use one of ${kindNames.join(', ')}.`);
}

/** Throws BAD_REQUEST when a resource of kind `parent` may not hold one of kind `child`. */
export function checkParent(child: Kind, parent: Kind, field = 'parent'): void {
  const rule: KindRule = kinds[child];
  if (rule.parents.includes(parent)) return;
  const may = rule.parents.length > 0 ? `only ${rule.parents.join(' or ')} may` : 'it has none';
  throw invalidField(field, `A ${parent} cannot be the parent of a ${child}; ${may}.`);
}
