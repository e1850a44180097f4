// The page for signing in: with a provider, or with a key, which it checks and keeps.

import { type FormEvent, useState, useSyncExternalStore } from 'react';
import { ask } from '../asking/ask.ts';
import { keepKey, onKeyChange, readReason } from '../asking/key.ts';
import { Refused } from '../asking/operation.ts';
import { ViewerOfKey } from '../asking/viewer.graphql';
import { useTitle } from '../parts/page.tsx';
import { words } from '../words.ts';
import { Providers } from './providers.tsx';

/** The page. Its address is that of the page that was wanted, which is there once a key works. */
export function KeyPage() {
  const reason = useSyncExternalStore(onKeyChange, readReason);
  const [problem, setProblem] = useState('');
  const [isChecking, setChecking] = useState(false);
  useTitle(words.key.title);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const key = String(form.get('key') ?? '').trim();
    setChecking(true);
    try {
      await ask(ViewerOfKey, {}, { key });
      keepKey(key, form.get('remember') !== null);
    } catch (error) {
      setProblem(wordsOf(error));
      setChecking(false);
    }
  };
  return (
    <main className="key">
      <form onSubmit={(event) => void submit(event)}>
        <img src="/site/logo.svg" alt="" width="44" height="44" />
        <h1>{words.key.title}</h1>
        <Providers />
        <label htmlFor="key">{words.key.label}</label>
        <input
          id="key"
          name="key"
          type="password"
          placeholder="hwk_…"
          autoComplete="off"
          spellCheck={false}
          required
          // biome-ignore lint/a11y/noAutofocus: the page has nothing else to do
          autoFocus
        />
        <label className="remember">
          <input type="checkbox" name="remember" /> {words.key.remember}
        </label>
        <p className="problem" role="alert">
          {problem || reason}
        </p>
        <button type="submit" className="main" disabled={isChecking}>
          {isChecking ? words.key.checking : words.key.use}
        </button>
        <p className="quiet">{words.key.where}</p>
        <p className="quiet">{words.key.kept}</p>
      </form>
    </main>
  );
}

function wordsOf(error: unknown): string {
  if (error instanceof Refused && error.code === 'UNAUTHENTICATED') return words.key.wrong;
  return error instanceof Error ? error.message : String(error);
}
