// Runs the tests of one file of this folder, named by FIXTURE, with the reporters and tries of all others.

import { defineConfig } from 'vitest/config';
import usual from '../../../vitest.config.ts';

const { reporters = ['default'] } = usual.test ?? {};

export default defineConfig({
  test: { include: [`test/house/outcomes/${process.env.FIXTURE}.ts`], reporters },
});
