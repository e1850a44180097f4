// Who describes a resource: the source that it lies in, and all others that name it.

import { Link } from 'wouter';
import { useMay } from '../../asking/viewer.ts';
import { Moment } from '../../parts/moment.tsx';
import { describerWords as words } from '../../words/addresses.ts';
import { fieldTitle } from '../../words/names/activities.ts';
import { Fact } from '../fact.tsx';
import type { ResourceShown } from '../shown.ts';
import { Merging } from './merging.tsx';

/** The list, for those who may read sources; nothing where no source describes it. */
export function Describers({ resource }: { resource: ResourceShown }) {
  const may = useMay('read_integrations');
  const { describers, madeBy, missingFrom } = resource;
  if (!may) return null;
  return (
    <>
      {describers.length > 0 && (
        <Fact name={words.title}>
          <ul className="plain">
            {describers.map((describer) => (
              <li key={`${describer.integration?.id} ${describer.key}`}>
                <Row describer={describer} />
              </li>
            ))}
          </ul>
          {madeBy && <p className="quiet">{words.madeBy(madeBy.name)}</p>}
          {missingFrom.length > 0 && describers.some(({ isLive }) => isLive) && (
            <p className="quiet">{words.missingFrom(missingFrom.map(({ name }) => name))}</p>
          )}
        </Fact>
      )}
      <Merging resource={resource} />
    </>
  );
}

type Describer = ResourceShown['describers'][number];

function Row({ describer }: { describer: Describer }) {
  const { integration, role, isLive, goneAt, isOwner, fields } = describer;
  return (
    <span className={isLive ? '' : 'quiet'}>
      {integration ? (
        <Link href={`/imports/${integration.id}`}>{integration.name}</Link>
      ) : (
        words.person
      )}{' '}
      {isOwner && <span className="badge">{words.owner}</span>}
      <small>
        {words.roles[role]}
        {goneAt && (
          <>
            {' · '}
            {words.gone} <Moment at={goneAt} />
          </>
        )}
        {fields.length > 0 && ` · ${words.gives(fields.map(fieldTitle))}`}
      </small>
    </span>
  );
}
