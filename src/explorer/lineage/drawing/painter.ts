// The thread that paints large pictures: the page asks for one painting after the other.

import type { Order } from './draw.ts';
import type { Lit, Sheet } from './sheet.ts';

/** What the thread is told. */
export type ForPainter =
  | { readonly is: 'sheet'; readonly sheet: Sheet }
  | { readonly is: 'lit'; readonly lit: Lit | null }
  | { readonly is: 'order'; readonly order: Order };

/** A painting, and what was ordered. */
export interface Painting {
  readonly order: Order;
  readonly image: ImageBitmap;
}

export interface Painter {
  /** Whether a painting is on its way: another is to be ordered when it is there. */
  readonly isBusy: boolean;
  /** What is painted from now on. */
  show(sheet: Sheet): void;
  light(lit: Lit | null): void;
  paint(order: Order): void;
  close(): void;
}

/**
 * Start the thread; `onPainted` is called with each painting, also with one of what was shown before, and `onLost` where
 * there is no thread: after an update of the server its file is gone.
 */
export function openPainter(onPainted: (painting: Painting) => void, onLost: () => void): Painter {
  const thread = new Worker(painterThread, { type: 'module' });
  const tell = (what: ForPainter, transfer: Transferable[] = []) =>
    thread.postMessage(what, transfer);
  let isBusy = false;
  thread.addEventListener('message', ({ data }: MessageEvent<Painting>) => {
    isBusy = false;
    onPainted(data);
  });
  thread.addEventListener('error', onLost);
  return {
    get isBusy() {
      return isBusy;
    },
    show(sheet) {
      const { points, starts, indirect, changed, boxes } = sheet;
      const arrays = [points, starts, indirect, changed, boxes];
      tell(
        { is: 'sheet', sheet },
        arrays.map(({ buffer }) => buffer),
      );
    },
    light: (lit) => tell({ is: 'lit', lit }),
    paint(order) {
      isBusy = true;
      tell({ is: 'order', order });
    },
    close: () => thread.terminate(),
  };
}
