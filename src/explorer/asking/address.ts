// The query part of the address: the filters and choices of a page.

import { useCallback, useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';

/** What a page shows, by the names in its address. */
export interface AddressView {
  /** One value; an empty text where there is none. */
  one(name: string): string;
  /** Several, which are written with commas between them. */
  list(name: string): readonly string[];
  /** Show something else, in place of this view: going back leads to the page before. */
  change(values: Readonly<Record<string, string | readonly string[] | null>>): void;
}

/** The view that the address holds. */
export function useAddress(): AddressView {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const values = useMemo(() => new URLSearchParams(search), [search]);
  const change = useCallback<AddressView['change']>(
    (changes) => {
      // Of the address as it is now: two changes may come before the page is drawn again.
      const next = new URLSearchParams(location.search);
      for (const [name, value] of Object.entries(changes)) {
        const text = typeof value === 'string' ? value : (value ?? []).join(',');
        if (text === '') next.delete(name);
        else next.set(name, text);
      }
      const query = next.toString().replaceAll('%2C', ',');
      navigate(query === '' ? path : `${path}?${query}`, { replace: true });
    },
    [navigate, path],
  );
  return useMemo(
    () => ({
      one: (name) => values.get(name) ?? '',
      list: (name) => (values.get(name) ?? '').split(',').filter((part) => part !== ''),
      change,
    }),
    [values, change],
  );
}
