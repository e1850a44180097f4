// Banners of what is announced: on a resource and what it lies in, or to the whole workspace.

import { useState } from 'react';
import { Link } from 'wouter';
import { useAnswer } from '../asking/use-answer.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { Moment } from '../parts/moment.tsx';
import { Problem } from '../parts/problem.tsx';
import { later } from '../window/later.tsx';
import { announcementWords as words } from '../words/resource.ts';
import { type Announced, AnnouncementsOn } from './announcements.graphql';
import { useAnnouncing } from './use-announcing.ts';

/** The form, which is loaded when it is opened. */
export const LaterAnnouncementForm = later(
  async () => (await import('./form.tsx')).AnnouncementForm,
);

/** The banners of a resource; nothing where there are none. */
export function Announcements({ on }: { on: string }) {
  const { data } = useAnswer(AnnouncementsOn, { id: on });
  return data?.resource?.announcements.map((one) => (
    <Banner key={one.id} announcement={one} isOwn={one.resource?.id === on} />
  ));
}

interface BannerProps {
  readonly announcement: Announced;
  /** Whether it is about what the page is of. */
  readonly isOwn: boolean;
}

/** One banner. */
export function Banner({ announcement, isOwn }: BannerProps) {
  const { text, severity, startsAt, endsAt, mayChange, author, resource } = announcement;
  const [isOpen, setOpen] = useState(false);
  const { remove, error, isBusy } = useAnnouncing();
  return (
    <section
      className={severity === 'WARNING' ? 'announced warning' : 'announced'}
      aria-label={words.labels[severity]}
    >
      <Markdown text={text} />
      <p className="quiet">
        {author && `${author.name} · `}
        <Moment at={startsAt} />
        {endsAt && ` · ${words.until(endsAt)}`}
        {!isOwn && resource && (
          <>
            {` · ${words.on} `}
            <Link href={`/resource/${resource.id}`}>{resource.title}</Link>
          </>
        )}
      </p>
      {mayChange && (
        <p className="steps-of">
          <button type="button" onClick={() => setOpen(true)}>
            {words.edit}
          </button>
          <button type="button" disabled={isBusy} onClick={() => remove(announcement)}>
            {words.delete}
          </button>
        </p>
      )}
      {error && <Problem error={error} />}
      {isOpen && (
        <LaterAnnouncementForm on={resource} before={announcement} close={() => setOpen(false)} />
      )}
    </section>
  );
}
