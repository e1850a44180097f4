// Words that depend on what they are said of: one or many, something or nothing.

import { expect, test } from 'vitest';
import { nameOfBundle } from '../../../src/explorer/lineage/bundles/name.ts';
import { comparedBy } from '../../../src/explorer/lineage/history/compared.ts';
import { honestly } from '../../../src/explorer/lineage/honestly.ts';
import type { Card } from '../../../src/explorer/lineage/model.ts';
import { adminWords, eventName } from '../../../src/explorer/words/admin.ts';
import { lineageWords } from '../../../src/explorer/words/lineage.ts';
import { activityName, fieldTitle } from '../../../src/explorer/words/names/activities.ts';
import { counted, kindName } from '../../../src/explorer/words.ts';

test.each([
  ['table', 1, 'table'],
  ['table', 0, 'tables'],
  ['table', 2, 'tables'],
  ['query', 2, 'queries'],
  ['dashboard_group', 2, 'dashboard groups'],
  ['glossary', 1, 'glossary term'],
  ['glossary', 2, 'glossary terms'],
  ['question_reply', 2, 'replies'],
])('%s, %i of them, is called %s', (kind, count, name) => {
  expect(kindName(kind, count)).toBe(name);
});

test('what is counted is in the singular for one, and in the plural for none', () => {
  expect([0, 1, 2, 1_000].map((count) => counted(count, 'step'))).toEqual([
    ...['0 steps', '1 step', '2 steps', '1,000 steps'],
  ]);
  expect(counted(2, 'entry', 'entries')).toBe('2 entries');
});

test('a rule says on what it is only where it is not about everything', () => {
  const says = (whom: string[], on: string[]) =>
    adminWords.ruleSays(whom, ['incident resolved'], on);
  const [all, some] = [says(['Ada', '#data'], []), says(['Ada', '#data'], ['orders', 'finance'])];
  expect(all).toContain('Ada, #data');
  expect(some.startsWith(all)).toBe(true);
  expect(some).toContain('orders, finance');
  expect(says([], [])).not.toMatch(/^\W/);
});

test('events and fields are words', () => {
  expect(eventName('ping')).toBe('test');
  expect(eventName('of_a_later_version')).toBe('of a later version');
  expect(fieldTitle('notifyChatChannel')).toBe('notify chat channel');
  expect(['definition', 'tagIds', 'parentId', 'isEnabled'].map(fieldTitle)).toEqual([
    ...['documentation', 'tags', 'parent', 'enabled'],
  ]);
  expect(['lineage_created', 'glossary_updated', 'of_a_later_version'].map(activityName)).toEqual([
    ...['Added lineage', 'Edited glossary term', 'Of a later version'],
  ]);
});

const none = { least: 0, most: 0, around: [] };
const card = (kind: string, titleFull: string, title = titleFull, schemaName = ''): Card => ({
  ...{ id: titleFull, width: 244, height: 58, depth: 0, direction: null, change: '', bundle: null },
  ...{ columns: 0, rows: [], moreRows: 0, before: none, after: none },
  resource: {
    id: titleFull,
    kind,
    title,
    titleFull,
    schemaName,
    openIncidents: [],
    deprecation: null,
  },
});

test('a bundle of a schema has the name of that, and lies in its database', () => {
  const within = (schema: string, place: string, title: string) =>
    card('table', `${place}${schema}.${title}`, title, schema);
  const cards = [within('marts', 'eu.shop.', 'orders'), within('marts', 'eu.shop.', 'daily')];
  expect(nameOfBundle('schema', cards)).toEqual({
    title: lineageWords.schema('marts', 'table', 2),
    place: 'eu › shop',
  });
  expect(nameOfBundle('schema', [within('marts', '', 'orders')]).place).toBe('schema');
  const dotted = nameOfBundle('schema', [within('a.b', 'shop.', 'c.d')]);
  expect(dotted).toEqual({ title: lineageWords.schema('a.b', 'table', 1), place: 'shop' });
  expect(nameOfBundle('schema', [card('table', 'orders')]).place).toBe('');
  // Only tables are named by where they lie.
  expect(nameOfBundle('schema', [card('chart', 'Sales. In total')]).place).toBe('');
  expect(nameOfBundle('siblings', cards)).toEqual({
    title: lineageWords.siblings('table', 2),
    place: lineageWords.sameNeighbours,
  });
});

const table: { __typename: 'Table'; kind: 'table'; childrenCount: number; schemaName: null } = {
  ...{ __typename: 'Table', kind: 'table', childrenCount: 0, schemaName: null },
};
const node = (id: string) => ({
  ...{ depth: 0, direction: 'BOTH' as const, upstreamCount: 0, downstreamCount: 0 },
  resource: { ...table, id, title: id, titleFull: id, openIncidents: [], deprecation: null },
});
type Changes = Parameters<typeof comparedBy>[0];
const changes = (given: object): Changes =>
  Object.assign(
    { addedNodes: [], removedNodes: [], addedEdges: [], removedEdges: [], truncated: false },
    given,
  );

test('a comparison says what came and went, and that nothing did only where nothing did', () => {
  expect(comparedBy(changes({})).says).toEqual([lineageWords.nothingChanged]);
  const some = comparedBy(
    changes({
      addedNodes: [node('a'), node('b')],
      removedEdges: [{ sourceId: 'c', targetId: 'd' }],
      truncated: true,
    }),
  );
  expect(some.says).toEqual([
    ...[lineageWords.cameCount(2), lineageWords.linesGone(1), lineageWords.comparedInPart],
  ]);
  expect(['a', 'c'].map(some.ofNode)).toEqual(['new', '']);
  expect(['c d', 'd c'].map(some.ofEdge)).toEqual(['gone', '']);
});

test('a picture says what it leaves out, and nothing where it shows all', () => {
  const tables = (given: object): Parameters<typeof honestly>[0] =>
    Object.assign(
      { nodes: [node('a')], edges: [], totalNodes: 1, hiddenNodes: 0 },
      { truncated: false, truncatedBy: null, truncatedAt: null, asOf: '' },
      given,
    );
  const compared = comparedBy(changes({ addedNodes: [node('a')] }));
  const said = [lineageWords.shown(1, 1), lineageWords.cameCount(1)];
  expect(honestly(tables({}), undefined, compared)).toBe(said.join('; '));
  const cut = { truncatedBy: 'DEPTH', truncatedAt: 3, hiddenNodes: 2, totalNodes: 9 };
  expect(honestly(tables(cut), undefined, compared)).toBe(
    [
      ...[lineageWords.shown(1, 9), lineageWords.cut('DEPTH', 3), lineageWords.hidden(2)],
      lineageWords.cameCount(1),
    ].join('; '),
  );
});
