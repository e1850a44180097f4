// Announcing something, changing and deleting it, so that it can be undone.

import { ask } from '../asking/ask.ts';
import { useUndoable } from '../asking/undo.ts';
import { announcementWords as words } from '../words/resource.ts';
import {
  Announce,
  type Announced,
  AnnouncementsOn,
  AnnouncementsToEveryone,
  type AnnounceVariables,
  ChangeAnnouncement,
  DeleteAnnouncement,
} from './announcements.graphql';

/** What people say of an announcement. */
export type AnnouncementSaid = Omit<AnnounceVariables['input'], 'resourceId'>;

/** Writes that are shown by the banners. */
export function useAnnouncing() {
  const { mutate, error, isPending } = useUndoable([AnnouncementsOn, AnnouncementsToEveryone]);
  const announce = (resourceId: string | null, said: AnnouncementSaid, done: () => void) =>
    mutate(
      { says: words.announced, act: () => make({ ...said, resourceId }) },
      { onSuccess: done },
    );
  const change = (before: Announced, said: AnnouncementSaid, done: () => void) =>
    mutate(
      {
        says: words.changed,
        async act() {
          const { id, version } = before;
          const changed = await ask(ChangeAnnouncement, { id, version, input: said });
          const made = changed.updateAnnouncement.version;
          return () => ask(ChangeAnnouncement, { id, version: made, input: saidOf(before) });
        },
      },
      { onSuccess: done },
    );
  const remove = (one: Announced) =>
    mutate({
      says: words.deleted,
      async act() {
        const { id, version, resource } = one;
        await ask(DeleteAnnouncement, { id, version });
        return () => make({ ...saidOf(one), resourceId: resource?.id ?? null });
      },
    });
  return { announce, change, remove, error, isBusy: isPending };
}

/** Announce it; answers what takes it back. */
async function make(input: AnnounceVariables['input']) {
  const { createAnnouncement: made } = await ask(Announce, { input });
  return () => ask(DeleteAnnouncement, { id: made.id, version: made.version });
}

function saidOf({ text, severity, startsAt, endsAt }: Announced): AnnouncementSaid {
  return { text, severity, startsAt, endsAt };
}
