// What a tokenizer has to know of a dialect.

/** How a dialect writes strings, names and comments. */
export interface Lexical {
  readonly doubleQuote: 'name' | 'string';
  readonly backslash: boolean;
  readonly hashComment: boolean;
  readonly slashComment: boolean;
  readonly brackets: boolean;
  readonly dollarQuote: boolean;
  readonly tripleQuote: boolean;
  readonly nestedComments: boolean;
}
