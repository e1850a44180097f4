// What a file of this folder says of its dialect; whatever it leaves out is as most dialects have it.
import type { Finder } from '../repair/text-edit.ts';
import type { Lexical } from '../tokens/lexical.ts';
import { words } from '../word-set.ts';

/** What the engine has to know of a dialect, beyond its grammar, which the parser knows. */
export interface Described<Name extends string> {
  readonly name: Name;
  /** What people and tools call it besides that, in lower case. */
  readonly aliases: readonly string[];
  /** The parser's own name for it, or for the dialect that is nearest to it. */
  readonly parser: string;
  /** What an unquoted name becomes before it is compared. */
  readonly fold: 'lower' | 'upper' | 'keep';
  /** May an expression of the select list use an alias given earlier in the same list? */
  readonly lateralAlias: boolean;
  /** Does a CTE that names itself recurse without the word RECURSIVE? */
  readonly implicitRecursion: boolean;
  /** May FROM hold a path into a column of an earlier item (`FROM t, t.items`)? */
  readonly pathInFrom: boolean;
  /** May an expression name a table alias and mean its whole row? */
  readonly wholeRow: boolean;
  /** Does `SELECT ... INTO x` fill a variable rather than create the table x? */
  readonly intoVariable: boolean;
  /** Does it create the table x in a procedure as well, where others fill a variable? */
  readonly intoTable: boolean;
  /** May a column be followed by a field of it, as in `address.city`? */
  readonly fieldPaths: boolean;
  /** Does `doc -> 'a'` as an argument take a part of a document, as no function takes a lambda? */
  readonly arrowPaths: boolean;
  /** Does one pair of quotes hold a path, as in `a-b.c.d`, where elsewhere a dot in quotes is a letter? */
  readonly quotedPaths: boolean;
  readonly unnamed: Unnamed;
  /** What a bare `USE x` chooses. */
  readonly use: 'database' | 'schema';
  /** Methods of columns, as in `xml.value('/a')`; `*` for any. Else `a.b(c)` is b of the schema a. */
  readonly methods: ReadonlySet<string>;
  /** Words that stand for a value of their own and look like columns, in lower case. */
  readonly values: ReadonlySet<string>;
  /** Phrases that the parser doesn't take, and what to write instead; tried where parsing fails. */
  readonly phrases: readonly Finder[];
  readonly lexical: Lexical;
}

/**
 * What an output without alias is called. `function`: after its function, else `?column?`. `text`: as
 * it is written; `upper text`: the same in upper case. The others number outputs: `_c0`, `_col0` and
 * `EXPR$0` by their place, `f0_` those without a name. `position`: `_col_0`, where none has a name.
 */
export type Unnamed =
  | 'function'
  | 'text'
  | 'upper text'
  | 'f0_'
  | '_c0'
  | '_col0'
  | 'EXPR$0'
  | 'position';

type Trait =
  | keyof Omit<Lexical, 'doubleQuote'>
  | 'doubleQuotedStrings'
  | 'lateralAlias'
  | 'implicitRecursion'
  | 'pathInFrom'
  | 'wholeRow'
  | 'intoVariable'
  | 'intoTable'
  | 'fieldPaths'
  | 'arrowPaths'
  | 'quotedPaths';

/** A description as it is written down: traits that it has, and words with blanks between them. */
interface Description<Name extends string>
  extends Pick<Described<Name>, 'name' | 'parser' | 'fold'>,
    Partial<Pick<Described<Name>, 'aliases' | 'unnamed' | 'use' | 'phrases'>> {
  readonly traits?: readonly Trait[];
  readonly values?: string;
  readonly methods?: string;
}

const VALUES =
  'current_date current_time current_timestamp current_user session_user localtime ' +
  'localtimestamp current_schema current_catalog current_role default';

/** A dialect, of its description. */
export function describe<const Name extends string>({
  traits = [],
  values = '',
  methods = '',
  ...said
}: Description<Name>): Described<Name> {
  const has = (trait: Trait) => traits.includes(trait);
  return {
    aliases: [],
    unnamed: 'position',
    use: 'database',
    phrases: [],
    ...said,
    methods: words(methods),
    values: words(VALUES, ...(values === '' ? [] : [values])),
    lateralAlias: has('lateralAlias'),
    implicitRecursion: has('implicitRecursion'),
    pathInFrom: has('pathInFrom'),
    wholeRow: has('wholeRow'),
    intoVariable: has('intoVariable'),
    intoTable: has('intoTable'),
    fieldPaths: has('fieldPaths'),
    arrowPaths: has('arrowPaths'),
    quotedPaths: has('quotedPaths'),
    lexical: {
      doubleQuote: has('doubleQuotedStrings') ? 'string' : 'name',
      backslash: has('backslash'),
      hashComment: has('hashComment'),
      slashComment: has('slashComment'),
      brackets: has('brackets'),
      dollarQuote: has('dollarQuote'),
      tripleQuote: has('tripleQuote'),
      nestedComments: has('nestedComments'),
    },
  };
}
