// What is done with a resource more seldom: copying, verifying, archiving and restoring it.

import { useState } from 'react';
import { LaterAnnouncementForm } from '../../announcements/banner.tsx';
import { ask } from '../../asking/ask.ts';
import { useReversible } from '../../asking/undo.ts';
import { useAct } from '../../asking/use-answer.ts';
import { useMay } from '../../asking/viewer.ts';
import { LaterDeprecationForm } from '../../deprecation/banner.tsx';
import { mayDeprecate } from '../../deprecation/use-deprecation.ts';
import { Icon } from '../../parts/icon.tsx';
import { FurtherMenu } from '../../parts/menu.tsx';
import { Problem } from '../../parts/problem.tsx';
import {
  announcementWords,
  deprecationWords,
  resourceWords as words,
} from '../../words/resource.ts';
import { ArchiveIt, ResourcePage, RestoreIt, VerifyIt } from '../page.graphql';
import type { ResourceShown } from '../shown.ts';
import { CopyAs } from './copy-as.tsx';

/** The menu. */
export function Further({ resource }: { resource: ResourceShown }) {
  const { id, title, version, verified, archived, currentUserPermissions } = resource;
  const verifying = useReversible(
    async (on: boolean, at = version) =>
      (await ask(VerifyIt, { id, version: at, verified: on })).updateResource?.version,
    [ResourcePage],
  );
  const archiving = useReversible(
    async (on: boolean, at = version) =>
      on
        ? (await ask(ArchiveIt, { id, version: at })).archiveResource?.version
        : (await ask(RestoreIt, { id, version: at })).restoreResource?.version,
    [ResourcePage],
  );
  const verify = () =>
    verifying.change({
      ...{ says: verified ? words.unverified(title) : words.verified(title), version },
      ...{ to: !verified, back: verified },
    });
  const archive = () =>
    archiving.change({ says: words.archivedWhat(title), to: true, back: false, version });
  const [isDeprecating, setDeprecating] = useState(false);
  const [isAnnouncing, setAnnouncing] = useState(false);
  const mayAnnounce = useMay('edit_resources');
  const error = verifying.error ?? archiving.error;
  return (
    <>
      <FurtherMenu>
        <CopyAs resource={resource} />
        {currentUserPermissions.write && !archived && (
          <>
            <hr />
            <button type="button" disabled={verifying.isBusy} onClick={verify}>
              <Icon kind="check" />
              {verified ? words.unverify : words.verify}
            </button>
            {mayAnnounce && (
              <button type="button" onClick={() => setAnnouncing(true)}>
                <Icon kind="bell" />
                {announcementWords.open}
              </button>
            )}
            {mayDeprecate(resource) && !resource.deprecation && (
              <button type="button" onClick={() => setDeprecating(true)}>
                <Icon kind="clock" />
                {deprecationWords.open}
              </button>
            )}
            <button type="button" disabled={archiving.isBusy} onClick={archive}>
              <Icon kind="cross" />
              {words.archive}
            </button>
          </>
        )}
      </FurtherMenu>
      {isAnnouncing && <LaterAnnouncementForm on={resource} close={() => setAnnouncing(false)} />}
      {isDeprecating && (
        <LaterDeprecationForm
          of={resource}
          renewed={[ResourcePage]}
          close={() => setDeprecating(false)}
        />
      )}
      {error && <Problem error={error} />}
    </>
  );
}

/** What is said of an archived resource, and the way back. */
export function Restore({ resource: { id, version } }: { resource: ResourceShown }) {
  const mayRestore = useMay('edit_resources');
  const restore = useAct(() => ask(RestoreIt, { id, version }), [ResourcePage]);
  return (
    <div className="note warning" role="status">
      <p>{words.archived}</p>
      {mayRestore && (
        <button type="button" disabled={restore.isPending} onClick={() => restore.mutate()}>
          {words.restore}
        </button>
      )}
      {restore.error && <Problem error={restore.error} />}
    </div>
  );
}
