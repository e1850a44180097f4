// Asking what came and went since the time that the address names.

import { useMemo } from 'react';
import type { AddressView } from '../../asking/address.ts';
import { useAnswer } from '../../asking/use-answer.ts';
import { kindsIn } from '../../search/kinds.ts';
import { directionIn } from '../direction.ts';
import { LineageCompared } from '../page.graphql';
import { type Compared, comparedBy, unchanged } from './compared.ts';
import { timeIn } from './time-in.ts';

/** What came and went between the two times of the address; nothing where it names only one. */
export function useCompared(id: string, depth: number, view: AddressView): Compared {
  const since = timeIn(view.one('since'));
  const until = timeIn(view.one('asOf'));
  const isWanted = since !== null && (until === null || since < until);
  const variables = { from: [id], depth, direction: directionIn(view), since: since ?? '', until };
  const { data } = useAnswer(
    LineageCompared,
    { ...variables, kinds: kindsIn(view.list('kinds')) },
    { isKept: true, isWanted },
  );
  const changes = isWanted ? data?.lineageChanges : null;
  return useMemo(() => (changes ? comparedBy(changes) : unchanged), [changes]);
}
