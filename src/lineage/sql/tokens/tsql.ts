// Cuts T-SQL without semicolons into statements, by the words that can only begin one.

import { words } from '../word-set.ts';
import type { Token } from './tokens.ts';

const CHANGES = /^(?:INSERT|UPDATE|DELETE|MERGE|SELECT|WITH|CREATE|BULK)$/;
const OTHERS = words(
  'EXEC EXECUTE PRINT DECLARE RAISERROR THROW IF ELSE WHILE BEGIN END RETURN SET DROP TRUNCATE',
  'ALTER FETCH OPEN CLOSE COMMIT ROLLBACK USE GO DBCC BACKUP RESTORE RECONFIGURE WAITFOR',
  'GRANT DENY REVOKE SHUTDOWN KILL CHECKPOINT',
);

const LED_BY_WITH = /^(?:INSERT|UPDATE|DELETE|MERGE|SELECT)$/;
/** What an INSERT takes its rows from. */
const FILLS = /^(?:SELECT|VALUES|EXEC|EXECUTE)$/;

/**
 * The statements of a segment that read or write tables, and of procedural code those that fill
 * variables; what stands between them is left out.
 */
export function tsqlStatements(segment: readonly Token[], procedural = false): Token[][] {
  const statements: Token[][] = [];
  let start = -1;
  let depth = 0;
  let cases = 0;
  const close = (end: number) => {
    const word = segment[start]?.word ?? '';
    const own = segment.slice(Math.max(start, 0), end);
    const declares = word === 'DECLARE' && (declaresTable(segment, start) || declaresCursor(own));
    const isTraced = CHANGES.test(word) || declares || (procedural && fillsVariables(own));
    if (start >= 0 && isTraced && end - start > 1) statements.push(segment.slice(start, end));
  };
  segment.forEach((token, i) => {
    const { word } = token;
    if (word === '(') depth++;
    else if (word === ')') depth--;
    else if (word === 'CASE') cases++;
    else if (word === 'END' && cases > 0) cases--;
    else if (depth === 0 && begins(segment, i, start)) {
      close(i);
      start = i;
    }
  });
  close(segment.length);
  return statements;
}

/** `SET @x = 1` and `DECLARE @x INT = 1`. */
export function fillsVariables(statement: readonly Token[]): boolean {
  const [first, name] = statement;
  if (!/^(?:SET|DECLARE)$/.test(first?.word ?? '') || !name?.text.startsWith('@')) return false;
  return statement.some(({ word }) => word === '=');
}

/** Whether an assignment is the statement of an IF or an ELSE, so that it may not happen. */
export function standsInBranch(segment: readonly Token[], statement: readonly Token[]): boolean {
  const at = segment.findIndex(({ start }) => start === statement[0]?.start);
  const begins = segment.slice(0, at).findLastIndex(({ word }) => word === 'IF' || word === 'ELSE');
  const between = segment.slice(begins + 1, at);
  return begins >= 0 && !between.some(({ word }) => CHANGES.test(word) || word === 'END');
}

/** `DECLARE @t TABLE (a INT)` makes a table, as far as its script goes. */
function declaresTable(segment: readonly Token[], start: number): boolean {
  const kind = segment[start + 2]?.word === 'AS' ? segment[start + 3] : segment[start + 2];
  return kind?.word === 'TABLE';
}

/** `DECLARE c CURSOR FOR SELECT a FROM o`. */
function declaresCursor(statement: readonly Token[]): boolean {
  return (
    statement.some(({ word }) => word === 'CURSOR') && statement.some(({ word }) => word === 'FOR')
  );
}

/** Whether a statement begins at a token, given where the one before it began. */
function begins(segment: readonly Token[], i: number, start: number): boolean {
  const word = segment[i]?.word ?? '';
  const before = segment[i - 1]?.word ?? '';
  if (!CHANGES.test(word) && !OTHERS.has(word)) return false;
  if (start < 0) return !/^(?:AFTER|FOR|OF|,)$/.test(before);
  // `AFTER INSERT, UPDATE`, `ON DELETE SET NULL`, `GRANT SELECT`, `DROP TABLE IF EXISTS`.
  const isSwitch = before === 'ON' && segment[start]?.word === 'SET';
  if (
    !isSwitch &&
    /^(?:AFTER|OF|ON|INSTEAD|GRANT|DENY|OR|BULK|,|\.|TABLE|VIEW|PROCEDURE|PROC|INDEX)$/.test(before)
  ) {
    return false;
  }
  const own = ownWords(segment.slice(start, i));
  // What a WITH leads to decides where it ends.
  const led = own[0] === 'WITH' ? own.findIndex((each) => LED_BY_WITH.test(each)) : 0;
  if (led < 0) return false;
  const opener = own[led] ?? '';
  // `GRANT SELECT, INSERT ON t`.
  if (/^(?:GRANT|DENY|REVOKE)$/.test(opener) && !own.includes('TO') && !own.includes('FROM'))
    return false;
  const has = (pattern: RegExp) => own.slice(led).some((each) => pattern.test(each));
  // `DECLARE c CURSOR FOR SELECT`.
  if (before === 'FOR' && (word === 'UPDATE' || opener === 'DECLARE')) return false;
  // A trigger's `IF UPDATE (name)` asks whether the column was changed.
  if (word === 'UPDATE' && segment[i + 1]?.word === '(') return false;
  if (opener === 'MERGE' && before === 'THEN') return false;
  if (word === 'SET') {
    const isTable = opener === 'ALTER' && own[1] === 'TABLE' && segment[i + 1]?.word !== '(';
    const isOwn = /^(?:UPDATE|MERGE|ALTER)$/.test(opener) && own[1] !== 'STATISTICS' && !isTable;
    return !isOwn || has(/^SET$/);
  }
  if (word === 'EXEC' || word === 'EXECUTE') return opener !== 'INSERT' || has(FILLS);
  if (word === 'WITH') return opensCtes(segment, i) && before !== 'AS';
  if (/^(?:UNION|ALL|EXCEPT|INTERSECT|AS)$/.test(before) && opener !== 'IF') return false;
  if (word !== 'SELECT') return true;
  const isFilled = opener === 'INSERT' || (opener === 'CREATE' && own[1] !== 'TABLE');
  return !isFilled || has(FILLS);
}

/** The words of a statement that stand in no brackets. */
function ownWords(tokens: readonly Token[]): string[] {
  const words: string[] = [];
  let depth = 0;
  for (const { word } of tokens) {
    if (word === '(') depth++;
    else if (word === ')') depth--;
    else if (depth === 0) words.push(word);
  }
  return words;
}

/** `WITH name AS (` and `WITH name (a, b) AS (`, but not a table hint or an option. */
function opensCtes(segment: readonly Token[], i: number): boolean {
  if (segment[i + 2]?.word === 'AS') return segment[i + 3]?.word === '(';
  if (segment[i + 2]?.word !== '(') return false;
  const close = segment.findIndex((token, j) => j > i + 2 && token.word === ')');
  return close > 0 && segment[close + 1]?.word === 'AS';
}
