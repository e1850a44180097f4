// Saving of a text with images: it waits for those that are on their way.

import { useEffect, useState } from 'react';
import { writingWords as words } from '../words/writing.ts';
import { words as common } from '../words.ts';
import { type Draft, readDraft } from './draft.ts';
import { countRefused, countUploading, hasLostImage, withImages } from './image-marks.ts';

interface Saving {
  readonly text: string;
  readonly isSaving: boolean;
  readonly save: () => void;
}

/**
 * What the button that saves a text says and does. `save` is called once all images of the text are there, with what is
 * written by then, and not at all where one was refused.
 */
export function useSaving({ text, isSaving, save }: Saving) {
  // How many had been refused when it was asked for; null where it is not asked for.
  const [asked, setAsked] = useState<number | null>(null);
  const uploading = countUploading(text);
  useEffect(() => {
    if (asked === null) return;
    const isRefused = countRefused() !== asked;
    if (uploading > 0 && !isRefused) return;
    setAsked(null);
    if (!isRefused) save();
  });
  const isWaiting = asked !== null && uploading > 0;
  return {
    isWaiting,
    isOff: isSaving || isWaiting,
    says: isWaiting ? words.waiting(uploading) : isSaving ? common.edit.saving : common.edit.save,
    save() {
      if (isSaving) return;
      if (uploading > 0) setAsked(countRefused());
      else save();
    },
  };
}

/** The draft that this tab kept, with the images that came since; null where it kept none. */
export function useKeptDraft(name: string) {
  const [kept] = useState(() => {
    const draft = readDraft(name);
    return draft && { draft: complete(draft), hasLostImage: hasLostImage(draft.definition) };
  });
  return kept;
}

/** A draft as it is saved: without marks of images. */
export function complete(draft: Draft): Draft {
  return { ...draft, definition: withImages(draft.definition) };
}
