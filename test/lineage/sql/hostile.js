// SQL that means harm: each gets an answer or an error, and the next question works.
/** By what it is. `answers`: it is harsh, but it is SQL, and is traced. */
export const hostile = {
  'a megabyte of brackets': { sql: `SELECT ${'('.repeat(500_000)}1${')'.repeat(500_000)}` },
  'a megabyte of open brackets': { sql: '('.repeat(1_000_000) },
  'ten thousand unions': { sql: Array(10_001).fill('SELECT a FROM t').join(' UNION ALL ') },
  'five hundred unions': {
    sql: Array(500).fill('SELECT a FROM t').join(' UNION ALL '),
    answers: true,
  },
  'two hundred nested subqueries': { sql: nested(200), answers: true },
  'two thousand nested subqueries': { sql: nested(2_000) },
  'a NUL between words': { sql: 'SELECT a\u0000b FROM t' },
  'nothing but NULs': { sql: '\u0000\u0000\u0000' },
  'a string that never ends': { sql: "SELECT 'abc FROM t" },
  'a name that never ends': { sql: 'SELECT "abc FROM t' },
  'a dollar quote that never ends': { sql: 'SELECT $$abc FROM t' },
  'half a surrogate pair': { sql: 'SELECT \ud800 FROM t' },
  'a statement that ends the WebAssembly instance': {
    sql: `SELECT ${'INTERVAL '.repeat(50_000)}'1' DAY`,
  },
  'another one, deep in lambdas': { sql: `SELECT ${'x -> '.repeat(50_000)}1`, dialect: 'spark' },
  'forty thousand words': { sql: 'a '.repeat(40_000) },
  'a hundred CTEs, each the square of the one before': {
    sql: `WITH ${squares(100)} SELECT * FROM c99`,
    answers: true,
  },
};
function nested(depth) {
  let sql = 'SELECT a FROM t';
  for (let i = 0; i < depth; i++) sql = `SELECT a FROM (${sql}) AS s${i}`;
  return sql;
}
function squares(count) {
  const ctes = Array.from({ length: count }, (_, i) => {
    const before = i === 0 ? 't' : `c${i - 1}`;
    return `c${i} AS (SELECT x.a FROM ${before} x JOIN ${before} y ON x.a = y.a)`;
  });
  return ctes.join(', ');
}
