// Ends, after each test file, what its tests shared.

import { afterAll } from 'vitest';
import { closeCatalogs } from './catalog.ts';

afterAll(closeCatalogs);
