// The explorer: a sign-in page, or all others for who is signed in.

import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { onKeyChange, readKey, readSignIn } from './asking/key.ts';
import { createClient } from './asking/use-answer.ts';
import { arrive } from './asking/viewer.ts';
import { Frame } from './frame/frame.tsx';
import { KeyPage } from './key/page.tsx';
import { Toasts } from './parts/toast.tsx';
import { Waiting } from './parts/waiting.tsx';
import { Routes } from './routes.tsx';
import { TrayPlace } from './uploads/tray-place.tsx';

/** The explorer. */
export function App() {
  const state = useSyncExternalStore(onKeyChange, readSignIn);
  const key = useSyncExternalStore(onKeyChange, readKey);
  if (state === 'unknown') return <Arriving />;
  return state === 'none' ? <KeyPage /> : <SignedIn key={key} />;
}

/** While the server is asked whether it knows this browser. */
function Arriving() {
  useEffect(() => void arrive(), []);
  return (
    <main className="page">
      <Waiting lines={3} />
    </main>
  );
}

/** What one key or session shows: nothing of it is kept for the next. */
function SignedIn() {
  const client = useMemo(createClient, []);
  return (
    <QueryClientProvider client={client}>
      <Frame>
        <Routes />
      </Frame>
      <Toasts />
      <TrayPlace />
    </QueryClientProvider>
  );
}
