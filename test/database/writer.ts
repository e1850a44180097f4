// A program that writes to an embedded database until it is killed: `writer.ts <folder> <template> <first>`.
//
// Each write is a transaction over two tables; its number is printed once it is acknowledged.

import { openDatabase } from '../../src/database/open.ts';

const [dataDir, template, first] = process.argv.slice(2);
const database = await openDatabase({ dataDir, template });
await database.pool.query(
  'create table if not exists pair_a (n int primary key); create table if not exists pair_b (n int)',
);
console.log('ready');
for (let n = Number(first); ; n += 1) {
  await database.pool.query(`insert into pair_a values (${n}); insert into pair_b values (${n})`);
  console.log(`wrote ${n}`);
}
