// Reads procedural code by its tokens: where blocks begin and end, and the statements inside.
import type { Dialect } from '../dialect.ts';
import { words } from '../word-set.ts';
import type { Token } from './tokens.ts';
import { tsqlStatements } from './tsql.ts';

/** A procedure, function, trigger or anonymous block that goes on over several `;`. */
export interface Block {
  /** Names that are no columns inside, in lower case. */
  readonly variables: Set<string>;
  /** Take in one more segment; says whether the block ends with it. */
  endsWith(segment: readonly Token[]): boolean;
}

const ROUTINE = /^(?:PROCEDURE|PROC|FUNCTION|TRIGGER|PACKAGE|EVENT|MACRO)$/;
const TRANSACTION = /^(?:TRAN|TRANSACTION|WORK|ISOLATION|READ|DEFERRED|IMMEDIATE|EXCLUSIVE)$/;
const PROCEDURAL = words(
  'IF ELSE ELSIF ELSEIF WHILE LOOP FOR REPEAT CASE EXCEPTION WHEN END RETURN OPEN LET FETCH',
  'CLOSE LEAVE ITERATE BREAK CONTINUE RAISE UNTIL EXIT',
);

/** The block that a segment opens, or null when it is a plain statement. */
export function opensBlock(
  segment: readonly Token[],
  later: readonly (readonly Token[])[],
  dialect: Dialect,
): Block | null {
  const first = segment[0]?.word ?? '';
  const second = segment[1]?.word ?? '';
  const isRoutine = definesRoutine(segment);
  const isBlock = first === 'BEGIN' && segment.length > 1 && !TRANSACTION.test(second);
  const isDo = first === 'DO' && segment.some((token) => token.kind === 'body');
  const isDeclare = first === 'DECLARE' && dialect.name !== 'tsql' && dialect.name !== 'bigquery';
  if (!(isRoutine || isBlock || isDo || isDeclare || PROCEDURAL.has(first))) return null;

  const beginsLater = (isRoutine || isDeclare) && beginFollows(later);
  let depth = 0;
  let begun = false;
  // Routines within this one, and in a package, which ends without a BEGIN of its own.
  let within = 0;
  const isPackage = isRoutine && segment.slice(0, 8).some(({ word }) => word === 'PACKAGE');
  return {
    variables: new Set(isRoutine ? parameterNames(segment) : []),
    endsWith(next) {
      if (next !== segment || isPackage) within += routinesIn(next);
      const change = depthChange(next);
      begun ||= change.begins;
      depth += change.depth;
      if (isPackage) return depth < 0;
      const ended = begun && depth <= 0;
      if (ended && within > 0) {
        within--;
        begun = false;
        return false;
      }
      return begun ? ended : !beginsLater && within === 0;
    },
  };
}

/** How many routines begin in a segment that is itself a part of one; those only announced don't. */
function routinesIn(segment: readonly Token[]): number {
  let depth = 0;
  let open = false;
  let count = 0;
  segment.forEach(({ word }, i) => {
    if (word === '(') depth++;
    if (word === ')') depth--;
    const before = segment[i - 1]?.word ?? '';
    if (/^(?:PROCEDURE|FUNCTION)$/.test(word) && (i === 0 || /^(?:IS|AS|DECLARE)$/.test(before))) {
      open = true;
    } else if (open && depth === 0 && /^(?:IS|AS)$/.test(word)) {
      open = false;
      count++;
    }
  });
  return count;
}

/** `CREATE OR REPLACE ... PROCEDURE`, ALTER and Teradata's REPLACE, before any bracket or body. */
export function definesRoutine(segment: readonly Token[]): boolean {
  if (!/^(?:CREATE|ALTER|REPLACE)$/.test(segment[0]?.word ?? '')) return false;
  for (const token of segment.slice(1, 10)) {
    if (ROUTINE.test(token.word)) return true;
    if (/^(?:TABLE|VIEW|AS|SELECT|INDEX|SCHEMA|DATABASE|MODEL|\(|ON)$/.test(token.word)) break;
  }
  // BigQuery's `CREATE TABLE FUNCTION`.
  return segment
    .slice(1, 6)
    .some((token, i) => token.word === 'TABLE' && segment[i + 2]?.word === 'FUNCTION');
}

/** Oracle's and Snowflake's declarations stand before BEGIN, each with its own `;`. */
function beginFollows(later: readonly (readonly Token[])[]): boolean {
  for (const segment of later.slice(0, 200)) {
    if (segment[0]?.word === 'CREATE') return false;
    if (segment.some((token) => token.word === 'BEGIN')) return true;
    if (/^(?:SELECT|INSERT|UPDATE|DELETE|MERGE|WITH)$/.test(segment[0]?.word ?? '')) return false;
  }
  return false;
}

function depthChange(segment: readonly Token[]): { depth: number; begins: boolean } {
  let depth = 0;
  let begins = false;
  segment.forEach((token, i) => {
    const next = segment[i + 1]?.word ?? '';
    if (token.word === 'BEGIN' && !TRANSACTION.test(next)) {
      depth++;
      begins = true;
    } else if (token.word === 'CASE' && segment[i - 1]?.word !== 'END') depth++;
    else if (token.word === 'END' && !/^(?:IF|LOOP|WHILE|FOR|REPEAT)$/.test(next)) depth--;
  });
  return { depth, begins };
}

const STARTS = /^(?:SELECT|WITH|INSERT|UPDATE|DELETE|MERGE|REPLACE|TRUNCATE|CREATE|COPY)$/;
const BEFORE_START =
  /^(?:BEGIN|THEN|ELSE|LOOP|DO|AS|IS|TRY|CATCH|FOR|QUERY|RETURN|REPEAT|ATOMIC|ROW|STATEMENT|:|>)$/;

/**
 * The statements in one segment of procedural code, without what stands around them: one, but for
 * T-SQL, which needs no `;` between its statements.
 */
export function innerStatements(segment: readonly Token[], dialect: Dialect): Token[][] {
  const from = definesRoutine(segment) ? 1 : 0;
  if (dialect.name === 'tsql') {
    const statements = tsqlStatements(segment.slice(from), true).map(trimmed);
    if (statements.length > 0) return statements;
  }
  let depth = 0;
  let isForAll = false;
  for (let i = from; i < segment.length; i++) {
    // `FOR r AS SELECT ... DO`: the query is that of the loop.
    if (segment[i]?.word === 'FOR' && segment[i + 2]?.word === 'AS') i = bodyOfLoop(segment, i);
    const word = segment[i]?.word ?? '';
    const before = segment[i - 1]?.word ?? '';
    // Oracle's `FORALL i IN 1 .. n INSERT ...` has nothing before its statement.
    isForAll ||= word === 'FORALL';
    const opensQuery = word === '(' && /^(?:SELECT|WITH)$/.test(segment[i + 1]?.word ?? '');
    const starts = opensQuery
      ? /^(?:RETURN|AS|QUERY)$/.test(before)
      : STARTS.test(word) && (i === 0 || isForAll || isBefore(segment, i));
    if (depth === 0 && starts) return [trimmed(segment.slice(i))].filter((all) => all.length > 1);
    if (word === '(') depth++;
    else if (word === ')') depth--;
  }
  return [];
}

/** Whether a statement may begin at a place; also behind DuckDB's `AS TABLE`. */
function isBefore(segment: readonly Token[], i: number): boolean {
  const before = segment[i - 1]?.word ?? '';
  return BEFORE_START.test(before) || (before === 'TABLE' && segment[i - 2]?.word === 'AS');
}

/** The place of the word that begins the body of a loop. */
function bodyOfLoop(segment: readonly Token[], from: number): number {
  const at = segment.findIndex(({ word }, i) => i > from && /^(?:DO|LOOP)$/.test(word));
  return at < 0 ? segment.length : at;
}

/** A statement up to the END that closes what is around it. */
function trimmed(tokens: readonly Token[]): Token[] {
  let cases = 0;
  for (let i = 1; i < tokens.length; i++) {
    const word = tokens[i]?.word;
    if (word === 'CASE') cases++;
    else if (word === 'END' && --cases < 0) return tokens.slice(0, i);
  }
  return [...tokens];
}

/** Names that a segment declares: `DECLARE a, b INT`, `LET x := 1`, `v NUMBER`, `FOR r IN`. */
export function declaredNames(segment: readonly Token[]): string[] {
  const names: string[] = [];
  segment.forEach((token, i) => {
    const isInner = i > 0 || segment[1]?.kind === 'word';
    if (isInner && /^(?:PROCEDURE|FUNCTION)$/.test(token.word)) {
      names.push(...parameterNames(segment.slice(i)));
    }
    if (token.word !== 'DECLARE' && token.word !== 'LET') return;
    for (let j = i + 1; j < segment.length; j += 2) {
      const name = segment[j];
      if (name?.kind !== 'word') break;
      names.push(name.text.toLowerCase());
      if (segment[j + 1]?.word !== ',') break;
    }
  });
  segment.forEach((token, i) => {
    const before = segment[i - 1]?.word ?? '';
    const next = segment[i + 1]?.word ?? '';
    const declares = (i === 0 || /^(?:IS|AS|DECLARE)$/.test(before)) && TYPE.has(next);
    const loops = before === 'FOR' && next === 'IN';
    if (token.kind === 'word' && (declares || loops)) names.push(token.text.toLowerCase());
  });
  return names;
}

const TYPE = words(
  'INT INTEGER BIGINT SMALLINT NUMBER NUMERIC DECIMAL FLOAT DOUBLE REAL VARCHAR VARCHAR2',
  'NVARCHAR CHAR TEXT STRING DATE DATETIME TIMESTAMP BOOLEAN BOOL RECORD RESULTSET CURSOR',
  'VARIANT PLS_INTEGER JSON JSONB UUID',
);

/** The parameters in the brackets behind the name of a routine; `@p` needs none. */
function parameterNames(segment: readonly Token[]): string[] {
  const open = segment.findIndex((token) => token.word === '(');
  if (open < 0) return [];
  const names: string[] = [];
  let depth = 0;
  for (let i = open; i < segment.length; i++) {
    const token = segment[i];
    const before = segment[i - 1]?.word ?? '';
    if (token?.word === '(') depth++;
    if (token?.word === ')' && --depth === 0) break;
    const starts =
      depth === 1 && (before === '(' || before === ',' || /^(?:IN|OUT|INOUT)$/.test(before));
    if (token?.kind !== 'word' || !starts || /^(?:IN|OUT|INOUT)$/.test(token.word)) continue;
    names.push(token.text.toLowerCase());
  }
  return names;
}
