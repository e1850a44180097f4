// Reads the files of the sample workspace.

import { readdir, readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { kindNames } from '../resources/kind.ts';
import { termStatuses } from '../resources/terms/term-status.ts';

/** Where the files are: besides the tables' definition, from `src/demo` and `dist/demo` alike. */
const folder = new URL('../../prisma/demo/', import.meta.url);

const names = z.array(z.string()).default([]);

const user = z.strictObject({
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  title: z.string(),
  role: z.string(),
});
const group = z.strictObject({ name: z.string(), description: z.string(), members: names });
const team = z.strictObject({
  name: z.string(),
  icon: z.string(),
  type: z.string().optional(),
  description: z.string(),
  members: names,
});
const tag = z.strictObject({ name: z.string(), color: z.string(), description: z.string() });
const property = z.strictObject({
  name: z.string(),
  description: z.string(),
  valueType: z.string(),
  entityTypes: names,
  options: names.optional(),
});
const integration = z.strictObject({
  name: z.string(),
  type: z.string(),
  teams: names,
  resources: z.string().optional(),
  lineages: z.string().optional(),
  manifest: z.string().optional(),
  runResults: z.string().optional(),
  catalog: z.string().optional(),
  /** The script that makes the file of a live source. */
  script: z.string().optional(),
});
/** A monitor on a table or column, by its full title. */
const monitor = z.strictObject({
  on: z.string(),
  name: z.string(),
  metricType: z.string(),
  metricConfig: z.record(z.string(), z.string()).optional(),
  conditionAutoSensitivity: z.number().nullable().optional(),
  conditionManualMax: z.number().optional(),
});

const marks = {
  definition: z.string().optional(),
  verified: z.boolean().optional(),
  pii: z.boolean().optional(),
  teams: names,
  tags: names,
  ownerGroups: names,
  collections: names,
};
const mark = z.strictObject({
  on: names,
  ...marks,
  properties: z.record(z.string(), z.string()).default({}),
});
const leaf = z.strictObject({
  kind: z.enum(kindNames),
  title: z.string(),
  description: z.string(),
  type: z.string().optional(),
  sortOrder: z.number().optional(),
  dialect: z.string().optional(),
  freq: z.number().optional(),
  sql: z.string().optional(),
  synonyms: z.array(z.string()).optional(),
  termStatus: z.enum(termStatuses).optional(),
  ...marks,
});
const entry: z.ZodType<SampleEntry> = leaf.extend({
  children: z.lazy(() => z.array(entry)).optional(),
});
const reply = z.strictObject({
  by: z.string(),
  text: z.string(),
  accepted: z.boolean().default(false),
});
const question = z.strictObject({
  by: z.string(),
  title: z.string(),
  text: z.string(),
  priority: z.string(),
  assignedTo: z.string().optional(),
  answer: z.string().optional(),
  replies: z.array(reply).default([]),
  votes: names,
});

const workspace = z.strictObject({
  users: z.array(user),
  groups: z.array(group),
  teams: z.array(team),
  tags: z.array(tag),
  properties: z.array(property),
  integrations: z.array(integration),
  resources: z.array(entry),
  marks: z.array(mark),
  lineage: z.array(z.strictObject({ from: z.string(), to: z.string() })),
  questions: z.array(question),
  monitors: z.array(monitor),
});

const document = z.strictObject({
  title: z.string(),
  description: z.string(),
  parent: z.string().optional(),
  teams: names,
  tags: names,
  collections: names,
});

/** A resource that people made, with what lies in it. */
export type SampleEntry = z.output<typeof leaf> & { children?: SampleEntry[] | undefined };

/** A page of documentation; `parent` is the title of the page above it. */
export type SampleDocument = z.output<typeof document> & { readonly definition: string };

/** All that the sample workspace holds. Things are named by name, people by address. */
export type Sample = z.output<typeof workspace> & { readonly documents: SampleDocument[] };
export type SampleQuestion = z.output<typeof question>;

/** Read the sample workspace. Throws an Error that says what is wrong in which file. */
export async function readSample(): Promise<Sample> {
  const text = await readFile(new URL('workspace.yaml', folder), 'utf8');
  const documents = new URL('documents/', folder);
  const files = (await readdir(documents)).sort();
  return {
    ...shaped('workspace.yaml', workspace, parse(text)),
    documents: await Promise.all(
      files.map(async (name) =>
        readDocument(name, await readFile(new URL(name, documents), 'utf8')),
      ),
    ),
  };
}

/** The address of one of the files that the integrations name. */
export function sampleFile(path: string): URL {
  return new URL(path, folder);
}

/** A document begins with its fields, between two lines of dashes. */
function readDocument(name: string, text: string): SampleDocument {
  const [, fields, definition] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];
  if (fields === undefined || definition === undefined) {
    throw new Error(`The sample document ${name} does not begin with its fields.`);
  }
  return { ...shaped(name, document, parse(fields)), definition };
}

function shaped<S extends z.ZodType>(file: string, shape: S, value: unknown): z.output<S> {
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  throw new Error(`The sample file ${file} cannot be used:\n${z.prettifyError(read.error)}`);
}
