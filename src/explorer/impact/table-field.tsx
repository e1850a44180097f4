// Choice of the table that a query fills, where the query doesn't say.

import { Chosen, FindResource } from '../parts/find-resource.tsx';
import { impactWords as words } from '../words/impact.ts';
import { type Named, TablesToFill } from './page.graphql';

interface TableFieldProps {
  readonly table: Named | null;
  readonly choose: (table: Named | null) => void;
}

/** What is chosen, or the field that finds it. */
export function TableField({ table, choose }: TableFieldProps) {
  if (table) {
    return (
      <Chosen change={words.targetChange} again={() => choose(null)}>
        <span className="quiet">{words.target}</span> <b>{table.titleFull}</b>
      </Chosen>
    );
  }
  return (
    <FindResource
      operation={TablesToFill}
      label={words.target}
      placeholder={words.targetFind}
      hint={words.targetHint}
      none={words.targetNone}
      choose={choose}
    />
  );
}
