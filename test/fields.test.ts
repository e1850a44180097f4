// A table of fields: what each takes, what null does to it, and that all that is wrong is said at once.

import { expect, test } from 'vitest';
import {
  checkFields,
  choice,
  type Field,
  finite,
  flag,
  isOwnOnly,
  kept,
  type Noun,
  name,
  optionalName,
  optionalText,
  orElse,
  own,
  text,
  unlessBlank,
  webAddress,
  whole,
} from '../src/fields.ts';
import { moment } from '../src/resources/moment-field.ts';
import { createTag, updateTag } from '../src/tags/tag.ts';
import { openCatalog } from './catalog.ts';

interface Thing {
  title?: string | null;
  size?: number | null;
  isOpen?: boolean | null;
}

const thing: Noun<Thing, { title: string; size: number | null; isOpen: boolean }> = {
  by: 'edit tags',
  fields: {
    title: own(name('title', { max: 5 })),
    size: whole('size', 1, 10),
    isOpen: flag('is_open'),
  },
};

test('what is not given is not stored, and what is given is checked', () => {
  expect(checkFields(thing, {})).toEqual({});
  expect(checkFields(thing, { title: ' a ', size: null, isOpen: false })).toEqual({
    ...{ title: 'a', size: null, isOpen: false },
  });
  // Null leaves a flag alone: it is in no answer, as if it had not been sent.
  expect(Object.keys(checkFields(thing, { isOpen: null }))).toEqual([]);
});

test('every field that is wrong is named, by its name over REST', () => {
  const both = { title: 'too long', size: 11, isOpen: true };
  expect(() => checkFields(thing, both)).toThrow(
    expect.objectContaining({
      code: 'BAD_REQUEST',
      message:
        'title: Use at most 5 characters, not 8. size: Use a whole number from 1 to 10, or null, not 11.',
      fields: [
        { field: 'title', message: 'Use at most 5 characters, not 8.' },
        { field: 'size', message: 'Use a whole number from 1 to 10, or null, not 11.' },
      ],
    }),
  );
});

test('what goes wrong besides is not taken for a wrong field', () => {
  const broken: Noun<Thing, { title: string }> = {
    by: 'edit tags',
    fields: {
      title: {
        ...text('title'),
        check: () => {
          throw new TypeError('a bug');
        },
      },
    },
  };
  expect(() => checkFields(broken, { title: 'a' })).toThrow(TypeError);
});

test('users set of themselves only what the table says', () => {
  expect(isOwnOnly(thing, { title: 'a' })).toBe(true);
  expect(isOwnOnly(thing, {})).toBe(true);
  expect(isOwnOnly(thing, { title: 'a', size: null })).toBe(false);
});

const url = 'https://example.com/a';
const day = new Date('2024-05-01');

/** What a field makes of a value: what is stored, or what it says is wrong. */
function made<Given, Stored>(field: Field<Given, Stored>, given: Given | null): unknown {
  try {
    return field.check(given);
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}

test.each([
  ['a name', made(name('a'), ' b '), 'b'],
  ['no name', made(name('a'), null), 'a: This must not be empty.'],
  [
    'no name that is missed',
    made(name('a', { missing: 'One needs it.' }), null),
    'a: One needs it.',
  ],
  [
    'a name of two lines',
    made(name('a'), 'b\nc'),
    'a: Use one line, without characters of control or direction.',
  ],
  ['an optional name', made(optionalName('a'), ' b '), 'b'],
  ['an optional name that is blank', made(optionalName('a'), ' '), null],
  ['text', made(text('a'), ' b\n'), ' b\n'],
  ['no text', made(text('a'), null), ''],
  ['too much text', made(text('a', 2), 'abc'), 'a: Use at most 2 characters, not 3.'],
  ['optional text', made(optionalText('a'), 'b'), 'b'],
  ['no optional text', made(optionalText('a'), null), null],
  ['half a character', made(optionalText('a'), '\ud800'), expect.stringContaining('Use Unicode')],
  ['a choice', made(choice('a', ['b', 'c']), 'c'), 'c'],
  ['no choice', made(choice('a', ['b', 'c', 'd']), null), 'a: Use b, c or d, not "".'],
  ['another choice', made(choice('a', ['b', 'c']), 'e'), 'a: Use b or c, not "e".'],
  ['a choice that is kept', made(kept(choice('a', ['b', 'c'])), null), undefined],
  ['a choice that is reset', made(orElse(choice('a', ['b', 'c']), 'b'), null), 'b'],
  ['a number', made(whole('a', 0, 3), 3), 3],
  ['a number in between', made(whole('a', 0, 3), 1.5), expect.stringContaining('not 1.5')],
  ['a number beyond', made(whole('a', 0, 3), -1), expect.stringContaining('from 0 to 3')],
  ['no number for one that is needed', made(orElse(whole('a', 0, 3), 0), null), 0],
  ['any number', made(finite('a'), -0.5), -0.5],
  ['what is no number', made(finite('a'), Number.NaN), 'a: Use a finite number, or null.'],
  ['a moment', made(moment('a'), day), day],
  ['a moment before all', made(moment('a'), new Date(-1)), 'a: Use a date-time from 1970 to 9999.'],
  ['a moment that is none', made(moment('a'), new Date('x')), expect.stringContaining('1970')],
  ['an address', made(webAddress('a', 40), url), url],
  ['a script', made(webAddress('a', 40), 'javascript:alert(1)'), expect.stringContaining('http')],
  ['no address', made(webAddress('a', 40), ''), expect.stringContaining('Use an http or https')],
  ['a long address', made(webAddress('a', 9), url), 'a: Use at most 9 characters, not 21.'],
  ['a blank address', made(unlessBlank(webAddress('a', 40), null), ' '), null],
])('%s', (_, is, wanted) => {
  expect(is).toEqual(wanted);
});

test('over REST a client learns of all that is wrong with what it sent, and nothing is stored', async () => {
  await using catalog = await openCatalog();
  const tag = await createTag(catalog.admin, { name: 'gold' });
  const answer = await catalog.rest('PATCH', `/tag/${tag.id}`, {
    body: { color: 'red', icon: 'x'.repeat(256), name: 'silver' },
  });
  expect([answer.status, answer.body.errors]).toEqual([
    400,
    [
      { field: 'color', message: 'Use a color as #RRGGBB, not "red".' },
      { field: 'icon', message: 'Use at most 255 characters, not 256.' },
    ],
  ]);
  const kept = await updateTag(catalog.admin, tag.id, { description: 'of value' });
  expect(kept).toMatchObject({ name: 'gold', color: '#4299e1', icon: null });
});
