// Field of the bar for many rows: one of a list is chosen, and something is done with it.

import type { ReactNode } from 'react';
import type { Choosable } from '../parts/choosing/choosable.ts';
import { Combobox, type ComboboxProps } from '../parts/choosing/combobox.tsx';
import type { Edited } from './edits.ts';
import type { BrowsedRow } from './place.ts';

/** What each field of the bar is given. */
export interface PickProps {
  readonly rows: readonly BrowsedRow[];
  readonly run: (says: string, act: () => Promise<Edited>) => void;
}

interface OneOfProps {
  readonly label: string;
  readonly choices: readonly Choosable[];
  readonly found?: Pick<ComboboxProps, 'search' | 'isLoading' | 'isCut'>;
  readonly pick: (one: Choosable) => void;
  /** A dialog that the choice opens. */
  readonly children?: ReactNode;
}

/** A field of the bar: the keys of the bar and of the list are not for it. */
export function OneOf({ label, choices, found, pick, children }: OneOfProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the field in it
    <span className="bulk-pick" onKeyDown={(event) => event.stopPropagation()}>
      <Combobox
        {...found}
        label={label}
        isBare
        placeholder={label}
        choices={choices}
        chosen={[]}
        set={([one]) => one && pick(one)}
      />
      {children}
    </span>
  );
}
