// A secret, shown once.

import { Copy } from '../parts/copy.tsx';
import { adminWords as words } from '../words/admin.ts';

interface ShownProps {
  readonly says: string;
  readonly copy: string;
  readonly secret: string;
  /** It is kept elsewhere: show it no longer. */
  readonly done: () => void;
}

/** The secret, to be copied. */
export function Shown({ says, copy, secret, done }: ShownProps) {
  return (
    <div className="warned" role="status">
      <p>{says}</p>
      <p>
        <code className="secret">{secret}</code>
      </p>
      <Copy label={copy} text={secret} />{' '}
      <button type="button" onClick={done}>
        {words.done}
      </button>
    </div>
  );
}
