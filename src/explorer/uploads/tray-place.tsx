// The place of the tray in every page: it is loaded with the first upload.

import { Suspense, useSyncExternalStore } from 'react';
import { laterPart } from '../asking/version.ts';
import { Boundary } from '../window/boundary.tsx';
import { onUploads, readUploads } from './store.ts';

const Tray = laterPart(async () => (await import('./tray.tsx')).Tray);

/** The tray; nothing before the first upload. */
export function TrayPlace() {
  const uploads = useSyncExternalStore(onUploads, readUploads);
  if (uploads.length === 0) return null;
  return (
    <Boundary frame={(said) => said}>
      <Suspense fallback={null}>
        <Tray uploads={uploads} />
      </Suspense>
    </Boundary>
  );
}
