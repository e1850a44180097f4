// Connections to PostgreSQL: none of them may end the process.

import { expect, test } from 'vitest';
import { filesMatching } from './sources.ts';

test('every connection that is opened by hand has a listener for its errors', () => {
  // Without one, a connection that the server ends while it is idle ends the process as well.
  const files = filesMatching(/^(src|test|bench|gates)\/(?!.*generated\/).*\.ts$/);
  const opened = files.flatMap(({ path, text }) =>
    [...text.matchAll(/const (\w+) = new pg\.Client\(/g)].map(([, name = '']) => {
      const handled = text.split(`${name}.on('error'`).length - 1;
      const made = text.split(`const ${name} = new pg.Client(`).length - 1;
      return { path, isHandled: handled >= made };
    }),
  );
  expect(opened.length).toBeGreaterThan(10);
  expect(opened.filter(({ isHandled }) => !isHandled)).toEqual([]);
});
