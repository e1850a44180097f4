// Equal entries of the audit log, one row for all of them.

/** What makes entries equal: who did what. */
interface Done {
  readonly activityType: string;
  readonly performerType: string;
  readonly performerMetadata: { readonly name: string };
}

/** So many in a row are folded. */
const foldedFrom = 3;

/** Entries that follow each other, as runs: of equal ones a run of all, of others a run of one each. */
export function runsOf<Entry extends Done>(
  entries: readonly Entry[],
): readonly (readonly Entry[])[] {
  const runs: Entry[][] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    if (run?.[0] && isEqual(run[0], entry)) run.push(entry);
    else runs.push([entry]);
  }
  return runs.flatMap((run) => (run.length < foldedFrom ? run.map((entry) => [entry]) : [run]));
}

function isEqual(one: Done, other: Done): boolean {
  return (
    one.activityType === other.activityType &&
    one.performerType === other.performerType &&
    one.performerMetadata.name === other.performerMetadata.name
  );
}
