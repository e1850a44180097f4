// Reads a project's manifest, piece by piece.

import type { z } from 'zod';
import { declaredIn } from '../../imports/declared.ts';
import type { Extracted, ExtractedResource, ExtractedTest } from '../extraction.ts';
import { textLimits } from '../json-fields.ts';
import { readFreely } from '../lenient.ts';
import { type JsonMember, readMembers, type Sections } from '../members.ts';
import { ownersOf } from '../owner-name.ts';
import { badFile } from '../place.ts';
import { type FileSource, plainBytes } from '../source.ts';
import { readMetadata } from './artifact-version.ts';
import { Dependencies } from './dependencies.ts';
import { describeNode, describeSource, type NamedNode } from './project.ts';
import {
  describeExposure,
  describeFreshness,
  describeMetric,
  describeSavedQuery,
  describeTest,
  describeUnitTest,
  semanticsOf,
} from './project-declaration.ts';
import { shapes } from './project-node.ts';

const sections: Sections = {
  metadata: 'whole',
  nodes: 'members',
  sources: 'members',
  exposures: 'members',
  metrics: 'members',
  semantic_models: 'members',
  saved_queries: 'members',
  unit_tests: 'members',
  groups: 'members',
  // How the project is written, which says nothing of data.
  macros: 'passed',
  docs: 'passed',
  selectors: 'passed',
  files: 'passed',
  parent_map: 'passed',
  child_map: 'passed',
  group_map: 'passed',
};

/** Sections whose members are known by their names in the catalog. */
const keyed: ReadonlySet<string> = new Set([
  ...['nodes', 'sources', 'exposures', 'metrics', 'semantic_models', 'saved_queries', 'unit_tests'],
]);

/** Nodes that stand for a table or view in the warehouse, unless they are ephemeral. */
const tableTypes: ReadonlySet<string> = new Set(['model', 'seed', 'snapshot']);

export interface ManifestOptions {
  readonly maxBytes: number;
  /** Counts what the manifest declares, by sort: models, seeds, tests ... */
  readonly count: (sort: string) => void;
}

/** The parts of a relation's name, as a node or a source gives them. */
interface Relation {
  readonly name: string;
  readonly identifier?: string | null | undefined;
  readonly database?: string | null | undefined;
}

/** What one relation is known by: warehouses differ in the case they give to names. */
function relationOf(
  { name, identifier, database }: Relation,
  schema: string | null | undefined,
): string {
  return JSON.stringify([database, schema, identifier || name]).toLowerCase();
}

/** What adds to a description that is there, and makes nothing by itself. */
function addition(resource: ExtractedResource): ExtractedResource {
  const { kind, standing } = resource;
  return { ...resource, standing: kind === 'table' || kind === 'column' ? 'addition' : standing };
}

/** What must be kept until the whole manifest was read: names only. */
class Project {
  /** The warehouse that the project's SQL is written for, such as `snowflake`. */
  dialect: string | undefined;
  /** What the project calls itself; manifests of early versions don't say it. */
  name: string | null | undefined;
  readonly dependencies = new Dependencies();
  /** The owners of each group. */
  readonly owners = new Map<string, readonly string[]>();
  /** Resources that are in a group. */
  readonly grouped: { resource: ExtractedResource; group: string }[] = [];
  /** Tests, which may come before what they test. */
  readonly tests: ExtractedTest[] = [];
  /** By its relation, the node that makes a table. */
  readonly made = new Map<string, string>();
  /** By the key of a source, the node that makes its table. */
  readonly #makers = new Map<string, string>();

  /** A source over the table of a node is that table. */
  isMadeBy(source: string, node: string): void {
    this.#makers.set(source, node);
    this.dependencies.add(source, [node], false);
  }

  /** A test at the table that shows it: what makes no table is tested where it is first used. */
  placed(test: ExtractedTest): ExtractedTest {
    const { tableKey } = test;
    if (tableKey === undefined) return test;
    const maker = this.#makers.get(tableKey);
    if (maker !== undefined) {
      const { columnKey } = test;
      return {
        ...test,
        tableKey: maker,
        columnKey: columnKey && maker + columnKey.slice(tableKey.length),
      };
    }
    if (!this.dependencies.isPassedThrough(tableKey)) return test;
    return { ...test, tableKey: this.dependencies.firstUserOf(tableKey), columnKey: undefined };
  }

  /** What is odd in the piece that is being read. */
  readonly problems: string[] = [];
  readonly note = (problem: string): void => {
    this.problems.push(problem);
  };
}

/**
 * Read a manifest of version 1 to 12, and of a later one what is known. What the catalog has no place for is counted
 * as ignored. Throws BAD_REQUEST naming the file and where in it, when it is not JSON, another file, or when a part of
 * it is of the wrong type.
 */
export async function* readManifest(
  source: FileSource,
  options: ManifestOptions,
): AsyncGenerator<Extracted> {
  const project = new Project();
  let versionKnown = false;
  const bytes = plainBytes(source, options.maxBytes);
  for await (const member of readMembers(source.file, bytes, sections, 'names')) {
    const { section, place, value } = member;
    if (section === 'metadata') {
      const metadata = readMetadata('manifest', place, value, project.note);
      project.dialect = metadata.adapter_type ?? undefined;
      project.name = metadata.project_name;
      versionKnown = true;
      if (project.dialect) yield { is: 'adapter', adapter: project.dialect };
    } else yield* readMember(member, project, options.count);
    for (const problem of project.problems.splice(0)) yield { is: 'problem', problem };
  }
  if (!versionKnown) throw badFile(source.file, 'has no metadata; it is not a manifest.');
  for (const { resource, group } of project.grouped) {
    const owners = project.owners.get(group);
    if (owners?.length) yield { is: 'resource', resource: { ...resource, owners } };
  }
  for (const test of project.tests) yield { is: 'test', test: project.placed(test) };
  for (const lineage of project.dependencies.lineage()) yield { is: 'lineage', lineage };
}

function* readMember(
  member: JsonMember,
  project: Project,
  count: ManifestOptions['count'],
): Generator<Extracted> {
  const { section, name: key, place, value } = member;
  const { line } = place;
  const path = `${section}.${key}`;
  if (keyed.has(section) && key.length > textLimits.key) {
    throw badFile(place.file, `${path} is longer than ${textLimits.key} characters.`);
  }
  switch (section) {
    case 'nodes':
      yield* readNode(member, project, count);
      break;
    case 'sources': {
      const node = readFreely(shapes.source, place, path, value, project.note);
      const made = project.made.get(relationOf(node, node.schema ?? node.source_name));
      if (made === undefined) project.dependencies.add(key, [], true);
      else project.isMadeBy(key, made);
      count('sources');
      const described = describeSource({ key: made ?? key, line, node });
      yield* resources(project, made === undefined ? described : described.map(addition));
      const fresh = describeFreshness({ key, line, node });
      if (fresh) project.tests.push(fresh);
      yield* declaredIn(place, path, made ?? key, node);
      break;
    }
    case 'exposures':
      yield* readResource(member, project, shapes.exposure, describeExposure);
      count(section.replace('_', ' '));
      break;
    case 'metrics':
      yield* readResource(member, project, shapes.metric, describeMetric);
      count(section.replace('_', ' '));
      break;
    case 'semantic_models': {
      const node = readFreely(shapes.semanticModel, place, path, value, project.note);
      project.dependencies.add(key, node.depends_on?.nodes ?? [], false);
      count('semantic models');
      yield* resources(project, semanticsOf({ key, line, node }));
      break;
    }
    case 'saved_queries':
      yield* readResource(member, project, shapes.savedQuery, describeSavedQuery);
      count(section.replace('_', ' '));
      break;
    case 'unit_tests': {
      const node = readFreely(shapes.unitTest, place, path, value, project.note);
      count('unit tests');
      project.tests.push(describeUnitTest({ key, line, node }));
      break;
    }
    case 'groups': {
      const { name, owner } = readFreely(shapes.group, place, path, value, project.note);
      project.owners.set(name, ownersOf([owner]));
      count('groups');
      break;
    }
    default:
      yield { is: 'ignored', sort: section };
  }
}

/** Read what is a resource of its own. */
function* readResource<Node extends Depending>(
  { section, name: key, place, value }: JsonMember,
  project: Project,
  shape: z.ZodType<Node>,
  describe: (named: NamedNode<Node>) => ExtractedResource,
): Generator<Extracted> {
  const node = readFreely(shape, place, `${section}.${key}`, value, project.note);
  project.dependencies.add(key, node.depends_on?.nodes ?? [], true);
  yield* resources(project, [describe({ key, line: place.line, node })]);
}

/** What depends on nodes. */
interface Depending {
  readonly depends_on?:
    | { readonly nodes?: readonly string[] | null | undefined }
    | null
    | undefined;
}

function* readNode(
  { section, name: key, place, value }: JsonMember,
  project: Project,
  count: ManifestOptions['count'],
): Generator<Extracted> {
  const node = readFreely(
    ...([shapes.node, place, `${section}.${key}`, value, project.note] as const),
  );
  const type = node.resource_type;
  if (type === 'test') {
    count('tests');
    project.tests.push(describeTest({ key, line: place.line, node }));
    return;
  }
  const isTable = tableTypes.has(type) && node.config?.materialized !== 'ephemeral';
  project.dependencies.add(key, node.depends_on?.nodes ?? [], isTable);
  count(tableTypes.has(type) ? `${type}s` : 'other nodes');
  if (!tableTypes.has(type)) yield { is: 'ignored', sort: type };
  if (!isTable) return;
  project.made.set(relationOf({ ...node, identifier: node.alias }, node.schema), key);
  const described = describeNode({ key, line: place.line, node });
  const group = node.group ?? node.config?.group;
  const table = described.find((resource) => resource.key === key);
  if (group && table && !table.owners?.length) {
    // The group may come later in the file. Until then the owners are left open.
    const { line, kind } = table;
    project.grouped.push({ group, resource: { line, kind, key, standing: 'addition' } });
    table.owners = undefined;
  }
  // Its SQL is read by these rules. Manifests begin with their metadata, so it is known by now.
  if (table && project.dialect) table.metadata = { ...table.metadata, dialect: project.dialect };
  yield* resources(project, described);
  yield* declaredIn(place, `${section}.${key}`, key, node);
}

/** What lies in another package is not in the repository of the project. */
function* resources({ name }: Project, list: readonly ExtractedResource[]): Generator<Extracted> {
  for (const resource of list) {
    const { metadata } = resource;
    const isOther = name != null && metadata?.package != null && metadata.package !== name;
    if (isOther) resource.metadata = { ...metadata, from_package: true };
    yield { is: 'resource', resource };
  }
}
