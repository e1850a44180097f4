// A program that takes a data folder and prints whether it got it: `holder.ts <folder>`.

import { lockFolder } from '../../src/database/lock.ts';

const [folder = ''] = process.argv.slice(2);
console.log('begin');
process.stdin.once('data', async () => {
  try {
    await lockFolder(folder);
    console.log('got it');
    // Hold it until somebody ends this program.
    setInterval(() => {}, 1000);
  } catch (error) {
    console.log(`refused: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(0);
  }
});
