// What a term says at the side: its status, its synonyms, and the terms that it is related to.

import { ChooseResource } from '../parts/choosing/choose.tsx';
import { Combobox } from '../parts/choosing/combobox.tsx';
import { Moment } from '../parts/moment.tsx';
import { Pill } from '../parts/pill.tsx';
import { Problem } from '../parts/problem.tsx';
import { termWords as words } from '../words/shelf.ts';
import { words as common } from '../words.ts';
import { TermsToRelate } from './page.graphql';
import { BackToDraft, TermStatus } from './status.tsx';
import { mayChange, type TermShown, useTerm, useTermChange } from './use-term.ts';

/** All of it. */
export function TermFacts({ id }: { id: string }) {
  const term = useTerm(id);
  if (!term) return null;
  const isFixed = !mayChange(term);
  return (
    <>
      {(!isFixed || term.synonyms.length > 0) && <Synonyms term={term} isFixed={isFixed} />}
      {(!isFixed || term.relatedTerms.length > 0) && <Related term={term} isFixed={isFixed} />}
      <section>
        <h2>{words.statusName}</h2>
        <TermStatus id={id} /> {!isFixed && <BackToDraft term={term} />}
        {term.approvedAt !== null && (
          <p className="quiet">
            {words.approvedBy(term.approvedBy?.name)} <Moment at={term.approvedAt} />
          </p>
        )}
      </section>
      {(!isFixed || term.nextReviewAt !== null) && <NextReview term={term} isFixed={isFixed} />}
    </>
  );
}

/** The day on which people are to look at it again. */
function NextReview({ term, isFixed }: PartProps) {
  const { change, error, isBusy } = useTermChange(term);
  const { nextReviewAt } = term;
  const day = nextReviewAt?.slice(0, 10) ?? '';
  const set = (to: string) => {
    const next = to === '' ? null : `${to}T00:00:00Z`;
    const says = next === null ? words.reviewEnded : words.reviewOn(next);
    change(says, { nextReviewAt: next }, { nextReviewAt }, { isWhole: true });
  };
  return (
    <section>
      <h2>{words.nextReview}</h2>
      {isFixed && nextReviewAt !== null && words.day(nextReviewAt)}
      {!isFixed && (
        <input
          key={day}
          type="date"
          aria-label={words.nextReview}
          min="1970-01-01"
          max="9999-12-31"
          defaultValue={day}
          disabled={isBusy}
          onBlur={({ currentTarget }) => {
            const { value, validity } = currentTarget;
            if (validity.valid && value !== day) set(value);
          }}
        />
      )}
      {nextReviewAt !== null && Date.parse(nextReviewAt) < Date.now() && (
        <span className="badge warning">{words.reviewDue}</span>
      )}
      {error && <Problem error={error} />}
    </section>
  );
}

interface PartProps {
  readonly term: TermShown;
  /** Whether the viewer may only read it. */
  readonly isFixed: boolean;
}

function Synonyms({ term, isFixed }: PartProps) {
  const { change, error, isBusy } = useTermChange(term);
  const { synonyms } = term;
  const set = (says: string, to: readonly string[]) =>
    change(says, { synonyms: [...to] }, { synonyms: [...synonyms] }, { isWhole: true });
  const isThere = (text: string) =>
    synonyms.some((one) => one.toLowerCase() === text.toLowerCase());
  return (
    <section>
      <h2>{words.synonyms}</h2>
      {synonyms.map((one) => (
        <Pill
          key={one}
          name={one}
          isBusy={isBusy}
          takeAway={
            isFixed
              ? undefined
              : () =>
                  set(
                    common.toast.removed(one),
                    synonyms.filter((other) => other !== one),
                  )
          }
        />
      ))}
      {!isFixed && (
        <Combobox
          label={words.addSynonym}
          isBare
          placeholder={`${words.addSynonym} …`}
          choices={[]}
          chosen={[]}
          set={() => undefined}
          create={{
            says: words.newSynonym,
            make: (text) => !isThere(text) && set(common.toast.added(text), [...synonyms, text]),
          }}
        />
      )}
      {error && <Problem error={error} />}
    </section>
  );
}

function Related({ term, isFixed }: PartProps) {
  const { change, error, isBusy } = useTermChange(term);
  const link = (id: string) => ({ addRelatedTermIds: [id] });
  const part = (id: string) => ({ removeRelatedTermIds: [id] });
  return (
    <section>
      <h2>{words.related}</h2>
      {term.relatedTerms.map(({ id, title }) => (
        <Pill
          key={id}
          name={title}
          href={`/glossary/${id}`}
          isBusy={isBusy}
          takeAway={
            isFixed || !term.relatedTermIds.includes(id)
              ? undefined
              : () => change(common.toast.removed(title), part(id), link(id))
          }
        />
      ))}
      {!isFixed && (
        <ChooseResource
          operation={TermsToRelate}
          label={words.addRelated}
          isBare
          placeholder={`${words.addRelated} …`}
          without={[term.id, ...term.relatedTerms.map(({ id }) => id)]}
          choose={(one) => one && change(common.toast.added(one.title), link(one.id), part(one.id))}
        />
      )}
      {error && <Problem error={error} />}
    </section>
  );
}
