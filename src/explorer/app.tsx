// In charge of who looks: a page for the key until one works, the explorer from then on.

import { QueryClientProvider } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { onKeyChange, readKey } from './asking/key.ts';
import { createClient } from './asking/use-answer.ts';
import { Frame } from './frame.tsx';
import { KeyPage } from './key/page.tsx';
import { Routes } from './routes.tsx';

/** The explorer. */
export function App() {
  const key = useSyncExternalStore(onKeyChange, readKey);
  return key === '' ? <KeyPage /> : <SignedIn key={key} />;
}

/** What one key shows: nothing of it is kept for the next. */
function SignedIn() {
  const client = useMemo(createClient, []);
  return (
    <QueryClientProvider client={client}>
      <Frame>
        <Routes />
      </Frame>
    </QueryClientProvider>
  );
}
