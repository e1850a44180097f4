// The dialect of Teradata.
import { describe } from './describe.ts';

export const teradata = describe({
  name: 'teradata',
  parser: 'teradata',
  fold: 'keep',
  aliases: ['td'],
  traits: ['lateralAlias', 'implicitRecursion'],
  use: 'schema',
});
