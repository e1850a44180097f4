// Queries that would cost far more than they look like, each written in another way.

const deep = (first: number | string) => `parent { children(first: ${first}) { nodes { parent {
  children(first: ${first}) { nodes { id } } } } } }`;
const wide = Array.from(
  { length: 100 },
  (_, n) => `a${n}: resources(first: 1000) { nodes { id title kind url icon } }`,
);
const fragments = Array.from(
  { length: 20 },
  (_, n) =>
    `fragment F${n} on Query { a${n}: search(query: "a") { totalCount } ...F${n + 1} ...F${n + 1} }`,
);
const among = Array.from({ length: 14 }, (_, n) => `F${n}`);
const alike = among.map((name) => `fragment ${name} on Query { ${'viewer { id } '.repeat(50)} }`);

/** What each is called, its text, and its variables. */
export const bombs: readonly (readonly [string, string, object?])[] = [
  ['a literal', `{ resources(first: 1000) { nodes { ${deep(1000)} } } }`],
  [
    'a variable',
    `query ($n: Int!) { resources(first: $n) { nodes { ${deep('$n')} } } }`,
    { n: 1000 },
  ],
  ['a default', `query ($n: Int = 1000) { resources(first: $n) { nodes { ${deep('$n')} } } }`],
  [
    'a fragment',
    `{ resources(first: 1000) { nodes { ...D } } } fragment D on Resource { ${deep(1000)} }`,
  ],
  ['an alias', `{ ${wide.join(' ')} }`],
  [
    'a directive',
    `{ resources(first: 1000) { nodes { ... @include(if: true) { ${deep(1000)} } } } }`,
  ],
  [
    'a fragment of fragments',
    `{ ...F0 } ${fragments.join(' ')} fragment F20 on Query { viewer { id } }`,
  ],
  ['a fragment within itself', '{ ...A } fragment A on Query { viewer { id } ...A }'],
  [
    'levels',
    `{ resources(first: 1) { nodes ${'{ parent '.repeat(300)}{ id }${' }'.repeat(300)} } }`,
  ],
  ['more levels than there is stack', `${'{ viewer '.repeat(2_400)}${'}'.repeat(2_400)}`],
  ['one field many times', `{ viewer { ${'id '.repeat(4_900)} } }`],
  ['one object many times', `{ ${'viewer { id } '.repeat(1_200)} }`],
  [
    'fragments that name one object',
    `{ ${among.map((name) => `...${name}`).join(' ')} } ${alike.join(' ')}`,
  ],
  ['many tokens', `{ ${'viewer { id } '.repeat(3_000)} }`],
  ['many directives', `{ viewer { ${'id @include(if: true) '.repeat(200)} } }`],
  [
    'backtests',
    `query ($s: [SeriesPointInput!]!) { ${Array.from({ length: 100 }, (_, n) => `b${n}: backtestThresholds(series: $s, metricType: row_count) { incidents }`).join(' ')} }`,
    {
      s: Array.from({ length: 6_000 }, (_, n) => ({
        at: new Date(n * 3_600_000).toISOString(),
        value: n,
      })),
    },
  ],
];
