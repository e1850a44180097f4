// What somebody wrote, brought together with what others saved since it was begun.

import { expect, test } from 'vitest';
import { draftOf, mergeDraft } from '../../../src/explorer/writing/draft.ts';

const begun = draftOf({ version: 1, title: 'Name', description: 'short', definition: 'long' });
const now = (given: object) =>
  draftOf({ version: 2, title: 'Name', description: 'short', definition: 'long', ...given });

test('a draft begins with the texts of its resource, an empty one where there is none', () => {
  expect(begun).toEqual({
    ...{ version: 1, title: 'Name', description: 'short', definition: 'long' },
    from: { title: 'Name', description: 'short', definition: 'long' },
  });
  expect(now({ description: null })).toMatchObject({ description: '', from: { description: '' } });
});

test('each text is taken from the side that changed it', () => {
  const mine = { ...begun, description: 'mine' };
  expect(mergeDraft(mine, now({ definition: 'theirs' }))).toEqual({
    draft: {
      ...{ version: 2, title: 'Name', description: 'mine', definition: 'theirs' },
      from: { title: 'Name', description: 'short', definition: 'theirs' },
    },
    contested: [],
  });
  expect(mergeDraft(begun, now({})).draft).toEqual(now({}));
});

test('a text is contested where both sides changed it, and not to the same', () => {
  const mine = { ...begun, description: 'mine', definition: 'same' };
  const merged = mergeDraft(mine, now({ description: 'theirs', definition: 'same' }));
  expect(merged.contested).toEqual(['description']);
  // Mine stays until somebody has decided.
  expect(merged.draft).toMatchObject({ description: 'mine', definition: 'same', version: 2 });
});
