// The dialect of Amazon Redshift.
import { describe } from './describe.ts';

export const redshift = describe({
  name: 'redshift',
  parser: 'redshift',
  fold: 'lower',
  aliases: ['amazon_redshift'],
  traits: ['dollarQuote', 'nestedComments', 'lateralAlias', 'pathInFrom', 'wholeRow', 'fieldPaths'],
  unnamed: 'function',
  values: 'user sysdate',
});
