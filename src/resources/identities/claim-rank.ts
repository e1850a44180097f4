// How near those who describe a resource are to it, and what that decides.

/** How near an integration is to what it describes, the nearest first. */
export const ranks = {
  person: 0,
  sync: 1,
  file: 2,
  model: 3,
  source: 4,
  openlineage: 5,
  implied: 6,
} as const;

export type ClaimRole = keyof typeof ranks;

/** Who says best what a thing is for: who makes it, then who names it as a source. */
export const wordOrder: readonly number[] = [
  ...[ranks.person, ranks.model, ranks.source, ranks.sync, ranks.file],
  ...[ranks.openlineage, ranks.implied],
];
/** Who says best what is there: the nearest. */
export const factOrder: readonly number[] = Object.values(ranks);
/** The columns of a claim that are about what a thing is for; the others are about what is there. */
export const wordColumns: ReadonlySet<string> = new Set([
  ...['description', 'definition', 'creation_query', 'url', 'group_name', 'product', 'hidden'],
]);
