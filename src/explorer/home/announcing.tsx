// What is announced to everyone, and for admins the way to another announcement.

import { useState } from 'react';
import { AnnouncementsToEveryone } from '../announcements/announcements.graphql';
import { Banner, LaterAnnouncementForm } from '../announcements/banner.tsx';
import { useAnswer } from '../asking/use-answer.ts';
import { useMay } from '../asking/viewer.ts';
import { announcementWords as words } from '../words/resource.ts';

/** The banners that everyone sees. */
export function AnnouncementsForAll() {
  const { data } = useAnswer(AnnouncementsToEveryone, {});
  return data?.announcements.nodes.map((one) => <Banner key={one.id} announcement={one} isOwn />);
}

/** The way to another one; nothing for who may not. */
export function AnnounceToEveryone() {
  const mayAnnounce = useMay('announce_to_everyone');
  const [isOpen, setOpen] = useState(false);
  if (!mayAnnounce) return null;
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {words.openToEveryone}
      </button>
      {isOpen && <LaterAnnouncementForm on={null} close={() => setOpen(false)} />}
    </>
  );
}
