// Which statements a connection keeps a plan of.

import { expect, test } from 'vitest';
import { rows } from '../../src/database/rows.ts';
import { transaction } from '../../src/database/transaction.ts';
import { openCatalog } from '../catalog.ts';

test('a statement that comes for the third time is kept planned, and one that came once or twice is not', async () => {
  await using catalog = await openCatalog();
  await transaction(catalog.admin, async (tx) => {
    const planned = async () => {
      const kept = 'select statement from pg_prepared_statements where statement like $1';
      return (await rows<{ statement: string }>(tx, kept, ['%as a_newcomer'])).length;
    };
    const counts: number[] = [];
    for (let time = 1; time <= 4; time++) {
      expect(await rows(tx, 'select $1::int as a_newcomer', [time])).toEqual([
        { a_newcomer: time },
      ]);
      counts.push(await planned());
    }
    expect(counts).toEqual([0, 0, 1, 1]);
  });
});
