// Runs the tests of fixture.ts with the reporters of all others.

import { defineConfig } from 'vitest/config';
import usual from '../../../vitest.config.ts';

const reporters = usual.test?.reporters ?? ['default'];

export default defineConfig({ test: { include: ['test/house/skipping/fixture.ts'], reporters } });
