// Choice of the table that a query fills, where the query doesn't say.

import { ChooseResource } from '../parts/choosing/choose.tsx';
import { impactWords as words } from '../words/impact.ts';
import { type Named, TablesToFill } from './page.graphql';

interface TableFieldProps {
  readonly table: Named | null;
  readonly choose: (table: Named | null) => void;
}

/** The field that finds it, and shows what is chosen. */
export function TableField({ table, choose }: TableFieldProps) {
  return (
    <ChooseResource
      operation={TablesToFill}
      label={words.target}
      placeholder={words.targetFind}
      hint={words.targetHint}
      value={table && { id: table.id, name: table.titleFull }}
      choose={choose}
    />
  );
}
