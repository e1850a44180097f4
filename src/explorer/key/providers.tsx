// The ways to sign in that need no key: one button for each provider.

import { useEffect, useState } from 'react';
import { ask } from '../asking/ask.ts';
import { words } from '../words.ts';
import { SignInProviders } from './page.graphql';

/** The buttons; nothing where no provider was set up. They lead back to the page that was wanted. */
export function Providers() {
  const [providers, setProviders] = useState<readonly { id: string; name: string }[]>([]);
  useEffect(() => {
    const left = new AbortController();
    ask(SignInProviders, {}, { key: '', signal: left.signal }).then(
      ({ signInProviders }) => setProviders(signInProviders),
      // The key works all the same.
      () => {},
    );
    return () => left.abort();
  }, []);
  if (providers.length === 0) return null;
  const to = encodeURIComponent(location.pathname + location.search);
  return (
    <nav className="providers" aria-label={words.key.providers}>
      {providers.map(({ id, name }) => (
        <a key={id} className="main" href={`/sign-in/${id}?to=${to}`}>
          {words.key.continueWith(name)}
        </a>
      ))}
      <p className="or">{words.key.or}</p>
    </nav>
  );
}
