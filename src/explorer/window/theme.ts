// The theme: as the system has it, or as the person chose in this browser.

import { useSyncExternalStore } from 'react';

export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const place = 'headwater:theme';
const listeners = new Set<() => void>();
const system = matchMedia('(prefers-color-scheme: dark)');

function read(): Theme {
  const kept = localStorage.getItem(place);
  return themes.find((theme) => theme === kept) ?? 'auto';
}

function apply(): void {
  const theme = read();
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

/** Use a theme from now on, in all tabs. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(place, theme);
  apply();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The theme that was chosen. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, read);
}

/** Whether what is drawn stands on a dark page. */
export function useIsDark(): boolean {
  return useSyncExternalStore(subscribe, () =>
    read() === 'auto' ? system.matches : read() === 'dark',
  );
}

system.addEventListener('change', apply);
addEventListener('storage', ({ key }) => {
  if (key === place || key === null) apply();
});
apply();
