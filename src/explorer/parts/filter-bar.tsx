// The filters of a page, which its address holds, and of taking them all away.

import type { ReactNode } from 'react';
import type { AddressView } from '../asking/address.ts';

interface FilterBarProps {
  readonly label: string;
  /** What the button is called that takes them away. */
  readonly clear: string;
  readonly view: AddressView;
  /** Names of the filters in the address. */
  readonly names: readonly string[];
  readonly children: ReactNode;
}

/** The fields, and the button where one of them is set. */
export function FilterBar({ label, clear, view, names, children }: FilterBarProps) {
  return (
    <search className="filters" aria-label={label}>
      {children}
      {isFilteredBy(view, names) && (
        <button type="button" onClick={() => clearFilters(view, names)}>
          {clear}
        </button>
      )}
    </search>
  );
}

/** Whether one of the filters is set. */
export function isFilteredBy(view: AddressView, names: readonly string[]): boolean {
  return names.some((name) => view.one(name) !== '');
}

/** Show what there is without the filters. */
function clearFilters(view: AddressView, names: readonly string[]): void {
  view.change(Object.fromEntries(names.map((name) => [name, null])));
}
