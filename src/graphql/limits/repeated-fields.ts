// Refuses documents that name the same field again and again, before the pairs of its mentions are compared.

import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/**
 * Pairs of mentions of one field, in a whole document. Validation compares the two of each, since they have to mean
 * the same, and then what is selected of them: 200 mentions make 19,900 pairs.
 */
const mostPairs = 20_000;

/**
 * Fields of a document, and fragments that it uses, with those of fragments counted wherever they are used: fragments
 * multiply in each other.
 */
const mostFields = 20_000;

/** Pairs of fragments that are used in one object, in a whole document: validation compares the two of each. */
const mostFragmentPairs = 20_000;

/** The error of a document that names its fields too often to be validated, or has too many; else null. */
export function refuseRepeated({ definitions }: DocumentNode): GraphQLError | null {
  const fragments = new Map<string, SelectionSetNode>();
  /** Selections of what is one object in the answer. */
  const waiting: SelectionSetNode[][] = [];
  for (const definition of definitions) {
    if (definition.kind === 'FragmentDefinition')
      fragments.set(definition.name.value, definition.selectionSet);
    if ('selectionSet' in definition && definition.selectionSet)
      waiting.push([definition.selectionSet]);
  }
  let [pairs, count, fragmentPairs] = [0, 0, 0];
  const seen = new Set<SelectionSetNode>();
  for (let sets = waiting.pop(); sets; sets = waiting.pop()) {
    const mentions = new Map<string, FieldNode[]>();
    const used = new Set<string>();
    for (const selection of selectionsIn(sets, fragments)) {
      count += 1;
      if (count > mostFields) return new GraphQLError(tooManyFields, { nodes: [selection] });
      if (selection.kind === 'FragmentSpread') used.add(selection.name.value);
      if (selection.kind !== 'Field') continue;
      const field = selection;
      const name = (field.alias ?? field.name).value;
      const before = mentions.get(name) ?? [];
      mentions.set(name, before);
      pairs += before.length;
      if (pairs > mostPairs) return new GraphQLError(wordsFor(name), { nodes: [field] });
      before.push(field);
    }
    // Two fragments are compared once, wherever the object is.
    if (!sets.every((set) => seen.has(set))) fragmentPairs += (used.size * (used.size - 1)) / 2;
    for (const set of sets) seen.add(set);
    if (fragmentPairs > mostFragmentPairs) return new GraphQLError(tooManyFragments);
    for (const fields of mentions.values()) {
      const below = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (below.length > 0) waiting.push(below);
    }
  }
  return null;
}

/** The selections of an object, those of the fragments in them included, each fragment once. */
function* selectionsIn(
  sets: readonly SelectionSetNode[],
  fragments: ReadonlyMap<string, SelectionSetNode>,
): Generator<SelectionNode> {
  const all = new Set(sets);
  // A set that is added in the meantime comes last.
  for (const { selections } of all) {
    for (const selection of selections) {
      yield selection;
      if (selection.kind === 'InlineFragment') all.add(selection.selectionSet);
      else if (selection.kind === 'FragmentSpread') {
        const fragment = fragments.get(selection.name.value);
        if (fragment) all.add(fragment);
      }
    }
  }
}

function wordsFor(name: string): string {
  return `The query names the same fields again and again, last \`${name}\`: name each field once in a selection.`;
}

const tooManyFragments =
  `The query uses so many fragments in one object that they make more than ${mostFragmentPairs.toLocaleString('en')} ` +
  'pairs: use 200 of them at most.';

const tooManyFields =
  `The fragments of the query are used in each other so often that it has more than ${mostFields.toLocaleString('en')} ` +
  'fields: use fewer of them.';

/** What graphql-js says where fragments name each other, or the same fields, so often that it gives up. */
const givenUp = 'Validation aborted.';

/** The errors of a validation, with one that can be read in place of the one that says nothing. */
export function readable(errors: Error[]): Error[] {
  if (!errors.some(({ message }) => message === givenUp)) return errors;
  const message =
    'The fragments of the query are used in each other, or name the same fields, too often to be checked: ' +
    'use each fragment once, and name each field once in a selection.';
  return errors.map((error) => (error.message === givenUp ? new GraphQLError(message) : error));
}
