// Writes the types of the explorer's operations, for the compiler and for editors.
//
// Besides each NAME.graphql stands what TypeScript looks for, NAME.d.graphql.ts, but in a folder of its own
// that src/explorer/tsconfig.json lays over the sources. Nothing of it is needed to build or to run.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  buildSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  parse,
  typeFromAST,
  validate,
} from 'graphql';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src/explorer');
const target = join(source, 'generated');
const schema = buildSchema(readFileSync(join(root, 'schema.graphql'), 'utf8'));

const scalars = {
  ...{ ID: 'string', String: 'string', DateTime: 'string', Boolean: 'boolean' },
  ...{ Int: 'number', Float: 'number', SafeInt: 'number', JSON: 'unknown' },
};

rmSync(target, { recursive: true, force: true });
const names = readdirSync(source, { recursive: true }).filter((name) => name.endsWith('.graphql'));
let isWrong = false;
for (const name of names) writeTypes(join(source, name));
if (isWrong) process.exitCode = 1;

function writeTypes(path) {
  const document = parse(readFileSync(path, 'utf8'));
  const problems = validate(schema, document);
  for (const { message, locations } of problems) {
    console.error(`${relative(root, path)}:${locations?.[0]?.line ?? ''} ${message}`);
    isWrong = true;
  }
  if (problems.length > 0) return;
  const file = join(target, relative(source, path).replace(/\.graphql$/, '.d.graphql.ts'));
  const asking = relative(dirname(path), join(source, 'asking/operation.ts'));
  const types = new Map();
  const parts = document.definitions.map((node) => definitionOf(node, types));
  const from = asking.startsWith('.') ? asking : `./${asking}`;
  const head = `import type { Operation } from '${from}';`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, [head, ...types.values(), ...parts, ''].join('\n\n'));
}

/** The type of a fragment, or those of an operation: what it takes, what it answers, and itself. */
function definitionOf(node, types) {
  const name = node.name.value;
  if (node.kind === Kind.FRAGMENT_DEFINITION) {
    const on = schema.getType(node.typeCondition.name.value);
    return `export type ${name} = ${selectionOf(node.selectionSet, on)};`;
  }
  const answer = selectionOf(node.selectionSet, schema.getRootType(node.operation));
  const variables = (node.variableDefinitions ?? []).map((definition) => {
    const type = typeFromAST(schema, definition.type);
    const isNeeded = isNonNullType(type) && !definition.defaultValue;
    return `${definition.variable.name.value}${isNeeded ? '' : '?'}: ${inputOf(type, types)}${isNeeded ? '' : ' | undefined'}`;
  });
  return [
    `export type ${name}Data = ${answer};`,
    `export type ${name}Variables = { ${variables.join('; ')} };`,
    `export declare const ${name}: Operation<${name}Data, ${name}Variables>;`,
  ].join('\n');
}

/** What a selection answers: its own fields, and by type what it asks only of some. */
function selectionOf({ selections }, type) {
  const own = [];
  const spread = [];
  const byType = new Map();
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) own.push(fieldOf(selection, type));
    else if (selection.kind === Kind.FRAGMENT_SPREAD) spread.push(selection.name.value);
    else {
      const on = schema.getType(selection.typeCondition?.name.value ?? type.name);
      byType.set(on.name, selectionOf(selection.selectionSet, on));
    }
  }
  const fields = own.filter((field) => field !== '__typename');
  const base = [`{ ${fields.join('; ')} }`, ...spread].join(' & ');
  const isNamed = own.length > fields.length;
  if (byType.size === 0) return isNamed ? `${base} & { __typename: ${namesOf(type, [])} }` : base;
  const members = [...byType].map(
    ([name, selected]) => `({ __typename: '${name}' } & ${selected})`,
  );
  const others = `{ __typename: ${namesOf(type, [...byType.keys()])} }`;
  return `${base} & (${[...members, others].join(' | ')})`;
}

/** The names that an object of a type may have, without some. */
function namesOf(type, without) {
  const possible = isAbstractType(type) ? schema.getPossibleTypes(type) : [type];
  const left = possible.filter(({ name }) => !without.includes(name));
  return left.map(({ name }) => `'${name}'`).join(' | ') || 'never';
}

function fieldOf({ name, alias, selectionSet, directives }, type) {
  if (name.value === '__typename') return '__typename';
  const { type: of } = type.getFields()[name.value];
  // What is asked for under a condition may be missing.
  const mark = directives.length > 0 ? '?' : '';
  // A mutation that answers null has failed, and the explorer throws what it says.
  const isWrite = type === schema.getMutationType();
  const output = isWrite
    ? presentOf(getNullableType(of), selectionSet)
    : outputOf(of, selectionSet);
  return `${alias?.value ?? name.value}${mark}: ${output}`;
}

function outputOf(type, selectionSet) {
  if (isNonNullType(type)) return presentOf(type.ofType, selectionSet);
  return `${presentOf(type, selectionSet)} | null`;
}

function presentOf(type, selectionSet) {
  if (isListType(type)) return `readonly (${outputOf(type.ofType, selectionSet)})[]`;
  if (isEnumType(type)) return enumOf(type);
  if (isObjectType(type) || isAbstractType(type)) return `(${selectionOf(selectionSet, type)})`;
  return scalars[type.name];
}

function inputOf(type, types) {
  if (isNonNullType(type)) return givenOf(type.ofType, types);
  return `${givenOf(type, types)} | null`;
}

function givenOf(type, types) {
  if (isListType(type)) return `readonly (${inputOf(type.ofType, types)})[]`;
  if (isEnumType(type)) return enumOf(type);
  if (isInputObjectType(type)) {
    declareInput(type, types);
    return type.name;
  }
  return scalars[getNamedType(type).name];
}

function declareInput(type, types) {
  if (types.has(type.name)) return;
  types.set(type.name, '');
  const fields = Object.values(type.getFields()).map((field) => {
    const isNeeded = isNonNullType(field.type) && field.defaultValue === undefined;
    return `  ${field.name}${isNeeded ? '' : '?'}: ${inputOf(field.type, types)}${isNeeded ? '' : ' | undefined'};`;
  });
  types.set(type.name, `export interface ${type.name} {\n${fields.join('\n')}\n}`);
}

function enumOf(type) {
  return `(${type
    .getValues()
    .map(({ name }) => `'${name}'`)
    .join(' | ')})`;
}
