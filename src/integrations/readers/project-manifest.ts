// Reads a project's manifest, piece by piece.

import { declaredIn } from '../imports/declared.ts';
import { readMetadata } from './artifact-version.ts';
import { Dependencies } from './dependencies.ts';
import type { Extracted, ExtractedResource } from './extraction.ts';
import { textLimits } from './json-fields.ts';
import { type Member, readMembers, type Sections } from './members.ts';
import { badFile } from './place.ts';
import { describeNode, describeSource, emailsOf } from './project.ts';
import { describeExposure, describeMetric, describeTest } from './project-declaration.ts';
import { readShape, shapes } from './project-node.ts';
import { plainBytes, type Source } from './source.ts';

const sections: Sections = {
  metadata: 'whole',
  nodes: 'members',
  sources: 'members',
  exposures: 'members',
  metrics: 'members',
  semantic_models: 'members',
  groups: 'members',
};

/** Nodes that stand for a table or view in the warehouse, unless they are ephemeral. */
const tableTypes: ReadonlySet<string> = new Set(['model', 'seed', 'snapshot']);

export interface ManifestOptions {
  readonly maxBytes: number;
  /** Counts what the manifest declares, by sort: models, seeds, tests ... */
  readonly count: (sort: string) => void;
}

/** What must be kept until the whole manifest was read: names only. */
class Project {
  /** The warehouse that the project's SQL is written for, such as `snowflake`. */
  dialect: string | undefined;
  readonly dependencies = new Dependencies();
  /** Addresses of the owners of each group. */
  readonly owners = new Map<string, readonly string[]>();
  /** Resources that are in a group. */
  readonly grouped: { resource: ExtractedResource; group: string }[] = [];
}

/**
 * Read a manifest of version 1 to 12. Throws BAD_REQUEST naming the file and where in it, when it is
 * not JSON, another file, of another version, or when a part of it is of the wrong type.
 */
export async function* readManifest(
  source: Source,
  options: ManifestOptions,
): AsyncGenerator<Extracted> {
  const project = new Project();
  let versionKnown = false;
  const bytes = plainBytes(source, options.maxBytes);
  for await (const member of readMembers(source.file, bytes, sections)) {
    if (member.section === 'metadata') {
      const metadata = readMetadata('manifest', member.place, member.value);
      project.dialect = metadata.adapter_type ?? undefined;
      versionKnown = true;
    } else {
      yield* readMember(member, project, options.count);
    }
  }
  if (!versionKnown) throw badFile(source.file, 'has no metadata; it is not a manifest.');
  for (const { resource, group } of project.grouped) {
    const owners = project.owners.get(group);
    if (owners?.length) yield { is: 'resource', resource: { ...resource, owners } };
  }
  for (const lineage of project.dependencies.lineage()) yield { is: 'lineage', lineage };
}

function* readMember(
  member: Member,
  project: Project,
  count: ManifestOptions['count'],
): Generator<Extracted> {
  const { section, name: key, place, value } = member;
  const { line } = place;
  const path = `${section}.${key}`;
  if (section !== 'groups' && key.length > textLimits.key) {
    throw badFile(place.file, `${path} is longer than ${textLimits.key} characters.`);
  }
  switch (section) {
    case 'nodes':
      yield* readNode(member, project, count);
      break;
    case 'sources': {
      const node = readShape(shapes.source, place, path, value);
      project.dependencies.add(key, [], true);
      count('sources');
      yield* resources(describeSource({ key, line, node }));
      yield* declaredIn(place, path, key, node);
      break;
    }
    case 'exposures': {
      const node = readShape(shapes.exposure, place, path, value);
      project.dependencies.add(key, node.depends_on?.nodes ?? [], true);
      count('exposures');
      yield* resources([describeExposure({ key, line, node })]);
      break;
    }
    case 'metrics': {
      const node = readShape(shapes.metric, place, path, value);
      project.dependencies.add(key, node.depends_on?.nodes ?? [], true);
      count('metrics');
      yield* resources([describeMetric({ key, line, node })]);
      break;
    }
    case 'semantic_models': {
      const node = readShape(shapes.semanticModel, place, path, value);
      project.dependencies.add(key, node.depends_on?.nodes ?? [], false);
      break;
    }
    case 'groups': {
      const { name, owner } = readShape(shapes.group, place, path, value);
      project.owners.set(name, emailsOf([owner?.email].flat()));
      count('groups');
    }
  }
}

function* readNode(
  { section, name: key, place, value }: Member,
  project: Project,
  count: ManifestOptions['count'],
): Generator<Extracted> {
  const node = readShape(shapes.node, place, `${section}.${key}`, value);
  const type = node.resource_type;
  if (type === 'test') {
    count('tests');
    yield { is: 'test', test: describeTest({ key, line: place.line, node }) };
    return;
  }
  const isTable = tableTypes.has(type) && node.config?.materialized !== 'ephemeral';
  project.dependencies.add(key, node.depends_on?.nodes ?? [], isTable);
  count(tableTypes.has(type) ? `${type}s` : 'other nodes');
  if (!isTable) return;
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
  yield* resources(described);
  yield* declaredIn(place, `${section}.${key}`, key, node);
}

function* resources(list: readonly ExtractedResource[]): Generator<Extracted> {
  for (const resource of list) yield { is: 'resource', resource };
}
