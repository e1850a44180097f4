// A button that copies a text.

import { useEffect, useState } from 'react';
import { words } from '../words.ts';

const saidForMs = 2_000;

/** A button that copies a text, and says so for a moment. */
export function Copy({ label, text }: { label: string; text: string }) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return undefined;
    const timer = setTimeout(() => setSaid(''), saidForMs);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setSaid(words.copied),
      () => setSaid(words.notCopied),
    );
  return (
    <button type="button" aria-live="polite" onClick={() => void copy()}>
      {said || label}
    </button>
  );
}
