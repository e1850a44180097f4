// Images put into a text: each is uploaded, and a mark stands in the text until it is there.

import { type ClipboardEvent, type DragEvent, type RefObject, useEffect, useRef } from 'react';
import { Refused } from '../asking/operation.ts';
import { notify } from '../asking/undo.ts';
import { sendFiles } from '../uploads/send-files.ts';
import { writingWords as words } from '../words/writing.ts';
import { beginImage, endImage, isUploading, onImages } from './image-marks.ts';
import { applyTo } from './marks.ts';

/** What the server takes. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const mostBytes = 2_000_000;

// An image on its way is lost with the page.
addEventListener('beforeunload', (event) => {
  if (isUploading()) event.preventDefault();
});

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
  useEffect(
    () =>
      onImages((mark, image) => {
        if (field.current) replace(field.current, mark, image, (text) => latest.current(text));
      }),
    [field],
  );
  /** Whether there are files: images are put into the text, and what is none is refused. */
  const put = (files: FileList | null): boolean => {
    const given = [...(files ?? [])];
    if (given.length === 0 || !field.current) return false;
    void putImages(field.current, given.filter(isTaken));
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

/** Whether a file is an image that the server may take; says why where it is not. */
function isTaken({ name, type, size }: File): boolean {
  const isImage = imageTypes.includes(type);
  if (isImage && size <= mostBytes) return true;
  const why = isImage ? words.imageTooLarge(name) : words.notAnImage(name);
  notify({ error: new Refused(why, 'BAD_REQUEST') });
  return false;
}

/** Put a mark for each image where the caret stands, and upload them one after the other. */
async function putImages(field: HTMLTextAreaElement, images: readonly File[]): Promise<void> {
  // All marks stand in the text before the first upload ends: saving waits for what has one.
  const marked = images.map((image) => ({ image, mark: beginImage() }));
  if (marked.length === 0) return;
  const text = marked.map(({ mark }) => mark).join('');
  const { selectionStart: from, selectionEnd: to } = field;
  const end = from + text.length;
  applyTo(field, { from, to, text, start: end, end });
  for (const { image, mark } of marked) endImage(mark, await upload(image));
}

/** Upload an image: the Markdown that shows it, or nothing, with a word why. */
async function upload(image: File): Promise<string> {
  try {
    const answer = await sendFiles('/images', [['file', image]]).answer;
    return `![${nameOf(image)}](${urlIn(answer)})`;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    notify({ error: new Refused(words.notUploaded(image.name, why), 'UNKNOWN') });
    return '';
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
