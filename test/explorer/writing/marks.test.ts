// Marks that tools put into a text, and names that are begun in it.

import { expect, test } from 'vitest';
import { replacementBy, type Tool } from '../../../src/explorer/writing/marks.ts';
import { linkTo, soughtIn } from '../../../src/explorer/writing/sought.ts';

/** A text with what is chosen between bars, after a tool was used; a single bar is the caret. */
function after(tool: Tool, marked: string): string {
  const [before = '', chosen = '', rest] = marked.split('|');
  const value = before + chosen + (rest ?? '');
  const end = rest === undefined ? before.length : before.length + chosen.length;
  const { from, to, text, ...selected } = replacementBy(tool, { value, start: before.length, end });
  const now = value.slice(0, from) + text + value.slice(to);
  const [a, b] = [selected.start, selected.end];
  return a === b
    ? `${now.slice(0, a)}|${now.slice(a)}`
    : `${now.slice(0, a)}|${now.slice(a, b)}|${now.slice(b)}`;
}

test('a tool marks what is chosen, and a second time takes its marks away', () => {
  expect(after('bold', 'one |two| three')).toBe('one **|two|** three');
  expect(after('bold', 'one **|two|** three')).toBe('one |two| three');
  expect(after('italic', '|')).toBe('*|*');
  expect(after('link', 'see |this|')).toBe('see [|this|](https://)');
  expect(after('code', '`|x|`')).toBe('|x|');
});

test('a tool of lines marks each line that is chosen, in place of another mark', () => {
  expect(after('bullets', 'a\n|b\nc|\nd')).toBe('a\n|- b\n- c|\nd');
  expect(after('numbers', '|a\nb|')).toBe('|1. a\n2. b|');
  expect(after('tasks', '|- a\n- b|')).toBe('|- [ ] a\n- [ ] b|');
  expect(after('tasks', '|- [ ] a\n- [ ] b|')).toBe('|a\nb|');
  expect(after('heading', 'Ti|tle')).toBe('## Title|');
  expect(after('heading', '## Ti|tle')).toBe('Title|');
});

test('a name is begun by @ after a space, or by two brackets, up to the caret', () => {
  const at = (text: string) => soughtIn(text, text.length);
  expect(at('Ask @Mar')).toEqual({ of: 'person', from: 4, query: 'Mar' });
  expect(at('@Marta Ko')).toEqual({ of: 'person', from: 0, query: 'Marta Ko' });
  expect(at('a@example.com')).toBe(null);
  expect(at('see [[daily rev')).toEqual({ of: 'resource', from: 4, query: 'daily rev' });
  expect(at('see [[daily]] and')).toBe(null);
  expect(at('@Mar\nnext')).toBe(null);
});

test('what is chosen takes the place of what was typed, as a link by its id', () => {
  const value = 'see [[dai]] now';
  const sought = soughtIn(value, 9);
  expect(sought && linkTo(sought, { id: '1', name: 'a [odd] name' }, value)).toEqual({
    ...{ from: 4, to: 11, text: '[a \\[odd\\] name](resource:1)' },
    ...{ start: 4 + '[a \\[odd\\] name](resource:1)'.length },
    end: 4 + '[a \\[odd\\] name](resource:1)'.length,
  });
});
