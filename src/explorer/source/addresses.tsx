// Where a source writes to: the warehouse that its databases lie in, what is proposed, and doubles that wait to be merged.

import { useState } from 'react';
import { Link } from 'wouter';
import { ask } from '../asking/ask.ts';
import { useAct, useAnswer } from '../asking/use-answer.ts';
import { JobList } from '../jobs/list.graphql';
import { Problem } from '../parts/problem.tsx';
import { addressWords as words } from '../words/addresses.ts';
import { sourceWords } from '../words/sources.ts';
import { DifferenceTable } from './difference.tsx';
import { Doubles } from './doubles.tsx';
import {
  AddressedSource,
  type AddressSaid,
  SaySourceAddresses,
  SourceAddresses,
  type SourceAddressesData,
  SourcePage,
} from './page.graphql';

type Source = NonNullable<SourceAddressesData['integration']>;
type Said = Pick<AddressSaid, 'database' | 'address' | 'becomes'>;

/** The section; nothing where there is nothing to say and nothing to decide. */
export function Addresses({ id, mayManage }: { id: string; mayManage: boolean }) {
  const { data, error } = useAnswer(SourceAddresses, { id });
  const source = data?.integration;
  if (error) return <Problem error={error} />;
  if (!source) return null;
  const { addresses, proposedAddresses, duplicates, undecidedDatabases } = source;
  const isEmpty = addresses.length + proposedAddresses.length + undecidedDatabases.length === 0;
  return (
    <>
      {!isEmpty && (
        <section className="sheet doing" aria-labelledby="addresses">
          <h2 id="addresses">{words.title}</h2>
          <Known addresses={addresses} />
          {undecidedDatabases.length > 0 && (
            <p className="quiet">{words.undecided(undecidedDatabases)}</p>
          )}
          {mayManage && <Proposals id={id} source={source} />}
        </section>
      )}
      {duplicates.length > 0 && <Doubles list={duplicates} mayMerge={mayManage} />}
    </>
  );
}

function Known({ addresses }: { addresses: readonly AddressSaid[] }) {
  if (addresses.length === 0) return null;
  return (
    <ul className="plain">
      {addresses.map(({ database, address, becomes, origin }) => (
        <li key={database ?? ''}>
          {words.database(database)} <Address of={address} />
          {becomes !== null && ` · ${words.becomes(becomes)}`}{' '}
          <span className="badge">{words.origins[origin]}</span>
        </li>
      ))}
    </ul>
  );
}

const ofSource = 'integration:';

/** An address as it is; one that is a source, by its name. */
function Address({ of: address }: { of: string }) {
  const id = address.startsWith(ofSource) ? address.slice(ofSource.length) : '';
  const { data } = useAnswer(AddressedSource, { id }, { isWanted: id !== '' });
  const source = data?.integration;
  if (!source) return <code>{address}</code>;
  return <Link href={`/imports/${source.id}`}>{source.name}</Link>;
}

/** What may be chosen, what it would change, and the button that does it. */
function Proposals({ id, source }: { id: string; source: Source }) {
  const { addresses, proposedAddresses } = source;
  const said = addresses.filter(({ origin }) => origin === 'set').map(only);
  const [chosen, setChosen] = useState<readonly Said[] | null>(null);
  const say = useAct(
    ({ list, dryRun }: { list: readonly Said[]; dryRun: boolean }) =>
      ask(SaySourceAddresses, { id, addresses: list, dryRun }),
    [SourceAddresses, SourcePage, JobList],
  );
  const look = (list: readonly Said[]) => {
    setChosen(list);
    say.mutate({ list, dryRun: true });
  };
  const { data, variables, isPending, error } = say;
  const isLooked = data !== undefined && variables?.dryRun === true;
  return (
    <>
      {proposedAddresses.length > 0 && (
        <ul className="plain">
          {proposedAddresses.map(({ integration, sharedSchemas, sharedTables, ...place }) => (
            <li key={`${place.database} ${place.address} ${place.becomes}`}>
              <button
                type="button"
                disabled={isPending}
                onClick={() => look([...without(said, place.database), only(place)])}
              >
                {words.choose}
                <span className="spoken"> {integration?.name ?? place.address}</span>
              </button>{' '}
              {words.database(place.database)}{' '}
              {integration ? (
                <Link href={`/imports/${integration.id}`}>{integration.name}</Link>
              ) : (
                <code>{place.address}</code>
              )}
              {place.becomes !== null && ` · ${words.becomes(place.becomes)}`}
              <small className="quiet"> {words.shares(sharedSchemas, sharedTables)}</small>
            </li>
          ))}
        </ul>
      )}
      {said.length > 0 && (
        <button type="button" disabled={isPending} onClick={() => look([])}>
          {words.takeBack}
        </button>
      )}
      {error && <Problem error={error} />}
      {data?.setIntegrationAddresses && (
        <DifferenceTable difference={data.setIntegrationAddresses} isDone={!isLooked} />
      )}
      {isLooked && chosen && (
        <button
          type="button"
          className="main"
          disabled={isPending}
          onClick={() => say.mutate({ list: chosen, dryRun: false })}
        >
          {sourceWords.apply}
        </button>
      )}
    </>
  );
}

const only = ({ database, address, becomes }: Said): Said => ({ database, address, becomes });

const without = (said: readonly Said[], database: string | null) =>
  said.filter((one) => one.database !== database);
