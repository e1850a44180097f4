// Choice of the column that the values of another one refer to.

import { useState } from 'react';
import { useAnswer } from '../asking/use-answer.ts';
import { Combobox } from '../parts/choosing/combobox.tsx';
import { Problem } from '../parts/problem.tsx';
import { editWords as words } from '../words/edit-monitor.ts';
import { ColumnReferredTo, ColumnsToReferTo, type MonitorTarget } from './new.graphql';

interface ReferenceFieldProps {
  readonly target: MonitorTarget;
  /** The id of the column; empty where none is chosen. */
  readonly id: string;
  readonly choose: (id: string) => void;
}

/** The field, which finds columns of the same source. */
export function ReferenceField({ target, id, choose }: ReferenceFieldProps) {
  const [query, search] = useState('');
  const isWanted = query !== '';
  const integrationIds = target.integration ? [target.integration.id] : null;
  const known = useAnswer(ColumnReferredTo, { id }, { isWanted: id !== '' }).data?.resource;
  const { data, error, isFetching } = useAnswer(
    ColumnsToReferTo,
    { query, integrationIds },
    { isKept: true, isWanted },
  );
  const found = isWanted ? (data?.search.nodes ?? []) : [];
  return (
    <>
      <Combobox
        label={words.referred}
        placeholder={words.referredFind}
        none={null}
        choices={found
          .map(({ resource }) => resource)
          .filter((one) => one.id !== target.id)
          .map((one) => ({ id: one.id, name: one.titleFull }))}
        isFound
        isLoading={isFetching}
        chosen={id === '' ? [] : [{ id, name: known?.titleFull ?? id }]}
        search={search}
        set={([one]) => choose(one?.id ?? '')}
      />
      {error && <Problem error={error} />}
    </>
  );
}
