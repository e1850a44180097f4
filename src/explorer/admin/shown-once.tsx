// A secret, shown once, in a dialog.

import { Copy } from '../parts/copy.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { adminWords as words } from '../words/admin.ts';

interface ShownOnceProps {
  readonly title: string;
  readonly says: string;
  readonly copy: string;
  readonly secret: string;
  /** It is kept elsewhere: show it no longer. */
  readonly done: () => void;
}

/** The secret, to be copied. */
export function ShownOnce({ title, says, copy, secret, done }: ShownOnceProps) {
  return (
    <Dialog title={title} close={done}>
      <p>{says}</p>
      <p>
        <code className="secret">{secret}</code>
      </p>
      <footer>
        <Copy label={copy} text={secret} />
        <button type="button" onClick={done}>
          {words.done}
        </button>
      </footer>
    </Dialog>
  );
}
