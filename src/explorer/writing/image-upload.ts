// Images put into a text: each is uploaded, and a mark stands in the text until it is there.

import { type ClipboardEvent, type DragEvent, type RefObject, useEffect, useRef } from 'react';
import { Refused } from '../asking/operation.ts';
import { notify } from '../asking/undo.ts';
import { sendFiles } from '../uploads/send-files.ts';
import { writingWords as words } from '../words/writing.ts';
import { applyTo } from './marks.ts';

/** What the server takes. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const mostBytes = 2_000_000;

/** Counts the uploads of this page: each has a mark of its own. */
let last = 0;

/** What a field does with images that are pasted, dropped or chosen. */
export function useImages(
  field: RefObject<HTMLTextAreaElement | null>,
  write: (text: string) => void,
) {
  // Other fields of the form may have been written by the time that an image is there.
  const latest = useRef(write);
  useEffect(() => {
    latest.current = write;
  });
  /** Whether there are images among files, which are put into the text. */
  const put = (files: FileList | null): boolean => {
    const images = [...(files ?? [])].filter(({ type }) => imageTypes.includes(type));
    if (images.length === 0 || !field.current) return false;
    void putImages(field.current, images, (text) => latest.current(text));
    return true;
  };
  return {
    put,
    onPaste(event: ClipboardEvent) {
      const { files, types } = event.clipboardData;
      // Cells of a table are copied as a picture as well, and meant as text.
      if (!types.includes('text/plain') && put(files)) event.preventDefault();
    },
    onDragOver(event: DragEvent) {
      if (event.dataTransfer.types.includes('Files')) event.preventDefault();
    },
    onDrop(event: DragEvent) {
      if (put(event.dataTransfer.files)) event.preventDefault();
    },
  };
}

/** Upload images and put them where the caret stands; `write` replaces the text where the field has lost the keyboard. */
async function putImages(
  field: HTMLTextAreaElement,
  images: readonly File[],
  write: (text: string) => void,
): Promise<void> {
  for (const image of images) {
    if (image.size > mostBytes) {
      notify({ error: new Refused(words.imageTooLarge(image.name), 'BAD_REQUEST') });
      continue;
    }
    last += 1;
    const mark = `![${words.uploading(last)}]()`;
    const { selectionStart: from, selectionEnd: to } = field;
    const end = from + mark.length;
    applyTo(field, { from, to, text: mark, start: end, end });
    try {
      const answer = await sendFiles('/images', [['file', image]]).answer;
      replace(field, mark, `![${nameOf(image)}](${urlIn(answer)})`, write);
    } catch (error) {
      replace(field, mark, '', write);
      notify({ error });
    }
  }
}

/** Put a text in the place of a mark, which may have been moved or taken away; the caret stays where it is. */
function replace(
  field: HTMLTextAreaElement,
  mark: string,
  text: string,
  write: (text: string) => void,
): void {
  const { value, selectionStart, selectionEnd } = field;
  const from = value.indexOf(mark);
  if (from < 0 || !field.isConnected) return;
  const to = from + mark.length;
  if (document.activeElement !== field) {
    write(value.slice(0, from) + text + value.slice(to));
    return;
  }
  const moved = (at: number) => {
    if (at <= from) return at;
    return at >= to ? at + text.length - mark.length : from + text.length;
  };
  applyTo(field, { from, to, text, start: moved(selectionStart), end: moved(selectionEnd) });
}

/** What stands for the image where it can't be seen: the name of its file, without what Markdown would read. */
function nameOf({ name }: File): string {
  const plain = name.replace(/\.\w+$/, '').replaceAll(/[^\p{L}\p{N}.,-]+/gu, ' ');
  return plain.trim() || words.image;
}

function urlIn(answer: unknown): string {
  if (typeof answer === 'object' && answer !== null && 'url' in answer) return String(answer.url);
  throw new Refused(words.noImage, 'UNKNOWN');
}
