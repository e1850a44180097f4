// The marks that stand in texts for images on their way, and what became of each.

import { writingWords as words } from '../words/writing.ts';

/** By its mark: the image as Markdown, empty where it was refused, null while it is on its way. */
const images = new Map<string, string | null>();
const listeners = new Set<(mark: string, image: string) => void>();
let refused = 0;

/** Any image without an address that has a number in its name, as marks have. */
const candidate = /!\[[^\]\d]*(\d+)[^\]]*\]\(\)/g;

function markOf(number: number): string {
  return `![${words.uploading(number)}]()`;
}

/** A mark of its own for an image that is sent now. */
export function beginImage(): string {
  const mark = markOf(images.size + 1);
  images.set(mark, null);
  return mark;
}

/** The image has its address, or was refused: then it is empty. Fields that hold its mark are written. */
export function endImage(mark: string, image: string): void {
  images.set(mark, image);
  if (image === '') refused += 1;
  for (const listener of listeners) listener(mark, image);
}

/** Call `listener` with each image that ends; answers how to stop that. */
export function onImages(listener: (mark: string, image: string) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How many images were refused since the page was loaded. */
export function countRefused(): number {
  return refused;
}

/** Whether any image is on its way. */
export function isUploading(): boolean {
  return [...images.values()].includes(null);
}

/** How many images of a text are on their way. */
export function countUploading(text: string): number {
  return marksIn(text).filter((mark) => images.get(mark) === null).length;
}

/** Whether a text waits for an image that never comes: the page that sent it was left. */
export function hasLostImage(text: string): boolean {
  return marksIn(text).some((mark) => !images.has(mark));
}

/** A text with its images in the place of their marks; only those on their way keep one. */
export function withImages(text: string): string {
  return text.replaceAll(candidate, (found, number) =>
    found === markOf(number) && images.get(found) !== null ? (images.get(found) ?? '') : found,
  );
}

function marksIn(text: string): string[] {
  return [...text.matchAll(candidate)]
    .filter(([found, number]) => found === markOf(Number(number)))
    .map(([found]) => found);
}
