// The place of the tray in every page: it is loaded with the first upload.

import { useSyncExternalStore } from 'react';
import { later } from '../window/later.tsx';
import { onUploads, readUploads } from './store.ts';

const Tray = later(async () => (await import('./tray.tsx')).Tray);

/** The tray; nothing before the first upload. */
export function TrayPlace() {
  const uploads = useSyncExternalStore(onUploads, readUploads);
  return uploads.length === 0 ? null : <Tray uploads={uploads} />;
}
