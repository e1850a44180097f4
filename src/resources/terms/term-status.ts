// How far people agree on a glossary term.

/** The statuses of a term, in the order of its way. */
export const termStatuses = ['draft', 'in_review', 'approved'] as const;
