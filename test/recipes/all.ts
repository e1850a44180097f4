// The recipes of CONTRIBUTING.md.

import { connector } from './connector.ts';
import { field } from './field.ts';
import { kind } from './kind.ts';
import { metric } from './metric.ts';
import type { Recipe } from './recipe.ts';
import { route } from './route.ts';

export const recipes: readonly Recipe[] = [metric, connector, route, field, kind];
