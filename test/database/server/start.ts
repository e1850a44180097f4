// A program that opens a data folder, says so, and closes it when it is told to: `start.ts DATA_DIR`.

import { openDatabase } from '../../../src/database/open.ts';

const [dataDir = ''] = process.argv.slice(2);
try {
  const database = await openDatabase({ dataDir, onNotice: (notice) => console.log(notice) });
  const { rows } = await database.pool.query('select count(*)::int as n from setting');
  console.log(`opened ${rows[0]?.n}`);
  process.stdin.once('data', async () => {
    await database.close();
    console.log('closed');
    process.exit(0);
  });
} catch (error) {
  console.log(`refused: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
