// The lineage page: what it asks, by what its address says, and what it shows of it.

import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { type AddressView, useAddress } from '../asking/address.ts';
import { useAnswer } from '../asking/use-answer.ts';
import { Page, useTitle } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { kindsIn } from '../search/kinds.ts';
import { useIsWide } from '../window/use-is-wide.ts';
import { lineageWords } from '../words/lineage.ts';
import { words } from '../words.ts';
import { Bundles } from './bundles/bar.tsx';
import { bundled } from './bundles/bundle.ts';
import { groupingIn } from './bundles/grouping-in.ts';
import { lineWidths } from './bundles/line-width.ts';
import type { CardActs } from './card-frame.tsx';
import { Controls } from './controls.tsx';
import { directionIn, formIn } from './direction.ts';
import type { Compared } from './history/compared.ts';
import { timeIn } from './history/time-in.ts';
import { useCompared } from './history/use-compared.ts';
import { honestly } from './honestly.ts';
import { Impact } from './impact.tsx';
import { type Laid, useLayout } from './layout/use-layout.ts';
import type { Model } from './model.ts';
import { lineageOfColumn } from './of-column.ts';
import { LineagePicture, type LineagePictureData, LineageSubject } from './page.graphql';
import { Picture, type PictureHandle } from './picture.tsx';
import { pictureOf } from './picture-of.ts';
import { StepsList } from './steps-list.tsx';
import { LinesTable } from './table.tsx';
import { type FileKind, saveAs } from './taking/export.ts';
import { Printed } from './taking/printed.tsx';
import { onlyPath, traceOf } from './trace.ts';
import { useColumns } from './use-columns.ts';

const usualSteps = '2';
/** A picture begins from 100 resources at most; one of them is what it is of. */
const mostGrown = 99;

function stepsIn(view: AddressView): number {
  return Number(view.one('steps') || usualSteps);
}

/** The page. Its address holds the view: who opens it elsewhere sees the same. */
export function LineagePage({ id }: { id: string }) {
  const view = useAddress();
  const { data, error, refetch } = useLineage(id, view);
  const title = data?.tables?.nodes.find(({ resource }) => resource.id === id)?.resource.titleFull;
  useTitle(lineageWords.title(title ?? ''));
  if (error) {
    return (
      <Page title={lineageWords.title('')}>
        <Problem error={error} again={() => void refetch()} />
      </Page>
    );
  }
  if (data && !data.tables) {
    return (
      <Page title={words.resource.missing}>
        <p>{words.resource.missingHow}</p>
      </Page>
    );
  }
  if (data && title === undefined) return <OfColumn id={id} />;
  return <Shown id={id} data={data} view={view} />;
}

/** A column has no picture of its own: that of its table opens, with the path of the column alone and lit. */
function OfColumn({ id }: { id: string }) {
  const [, navigate] = useLocation();
  const { data } = useAnswer(LineageSubject, { id });
  const table = data?.resource && 'table' in data.resource ? data.resource.table : null;
  useEffect(() => {
    if (table) navigate(lineageOfColumn(table.id, id), { replace: true });
  }, [table, id, navigate]);
  return (
    <Page title={lineageWords.title('')}>
      {data && !table ? <p>{lineageWords.nothing}</p> : <Waiting lines={5} />}
    </Page>
  );
}

function useLineage(id: string, view: AddressView) {
  const grown = view.list('grown').slice(0, mostGrown);
  return useAnswer(
    LineagePicture,
    {
      from: [id],
      grown: grown.length > 0 ? grown : [id],
      all: [id, ...grown],
      depth: stepsIn(view),
      direction: directionIn(view),
      asOf: timeIn(view.one('asOf')),
      hasGrown: grown.length > 0,
      // What decides about rows leads from columns.
      strengths: view.one('uses') === '' ? ['DIRECT'] : ['DIRECT', 'INDIRECT'],
      kinds: kindsIn(view.list('kinds')),
      hasOwners: groupingIn(view) === 'owner',
      hasColumns: view.one('level') === 'column' || view.list('open').length > 0,
    },
    { isKept: true },
  );
}

interface ShownProps {
  readonly id: string;
  readonly data: LineagePictureData | undefined;
  readonly view: AddressView;
}

function Shown({ id, data, view }: ShownProps) {
  const handle = useRef<PictureHandle>(null);
  const [fit, setFit] = useState(0);
  const [notice, setNotice] = useState('');
  const compared = useCompared(id, stepsIn(view), view);
  const model = useModel(data, view, compared);
  const laid = useLayout(model);
  const acts = useActs(view, handle, setNotice);
  const seek = useSeek(view, laid, handle);
  const chosen = view.one('chosen');
  const form = formIn(view, useIsWide());
  const isReady = laid !== null;
  const extent = ['steps', 'direction', 'level', 'plain', 'group', 'only']
    .map((name) => view.one(name))
    .join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: another extent is another picture
  useEffect(() => setFit((count) => count + 1), [isReady, extent]);

  const subject = model?.all.get(chosen === '' ? id : (model.cardOf.get(chosen) ?? chosen));
  const save = async (kind: FileKind) => {
    if (!laid) return;
    const name = `lineage of ${model?.all.get(id)?.resource.titleFull ?? id}`;
    const isSaved = await saveAs(kind, name, laid.model, handle.current?.scene ?? null);
    setNotice(isSaved ? '' : lineageWords.tooLarge);
  };
  return (
    <main className="lineage" id="main" tabIndex={-1}>
      <Controls
        id={id}
        depth={stepsIn(view)}
        title={fullTitleOf(id, chosen, model)}
        view={view}
        model={model}
        fit={() => setFit(fit + 1)}
        save={(kind) => void save(kind)}
        find={seek}
      />
      {!laid && (
        <div className="picture">
          <Waiting lines={5} />
        </div>
      )}
      {laid && form === 'table' && <LinesTable model={laid.model} />}
      {laid && form === 'steps' && <StepsList model={laid.model} subject={id} chosen={chosen} />}
      {laid && form === 'picture' && (
        <Picture laid={laid} chosen={chosen} subject={id} fit={fit} acts={acts} handle={handle} />
      )}
      {laid && <Bundles model={laid.model} view={view} />}
      <Printed of={handle} />
      <p className="honest" role="status">
        {notice || (data?.tables ? honestly(data.tables, laid?.model, compared) : words.loading)}
        {laid && view.one('view') !== 'table' && legendOf(laid.model)}
      </p>
      <Impact
        of={chosen === '' ? id : chosen}
        title={titleOf(chosen, subject?.resource.title ?? '', model)}
        choose={seek}
      />
    </main>
  );
}

/** What the lines of the picture mean that are no hairlines. */
function legendOf(model: Model): string {
  const isDashed = model.lines.some(({ isIndirect }) => isIndirect);
  const isWide = lineWidths(model).size > 0;
  return (isDashed ? `; ${lineageWords.dashed}` : '') + (isWide ? `; ${lineageWords.wide}` : '');
}

/** The name above the picture: of the column that it opened with, or of what it is of. */
function fullTitleOf(id: string, chosen: string, model: Model | null): string {
  const title = model?.all.get(id)?.resource.titleFull ?? lineageWords.title('');
  const row = model?.all.get(id)?.rows.find((one) => one.id === chosen);
  return row ? `${title}.${row.title}` : title;
}

/** The name of what is chosen: of a column with that of its card. */
function titleOf(chosen: string, card: string, model: Model | null): string {
  const owner = model?.all.get(model.cardOf.get(chosen) ?? '');
  const column = owner?.rows.find((row) => row.id === chosen);
  return column ? `${card}.${column.title}` : card;
}

/** What is to be laid out: the answer as it is opened, or only the path that is chosen. */
function useModel(
  data: LineagePictureData | undefined,
  view: AddressView,
  compared: Compared,
): Model | null {
  const isColumns = view.one('level') === 'column';
  const [open, whole] = [view.one('open'), view.one('whole')];
  const [unfold, isPlain] = [view.one('unfold'), view.one('plain') !== ''];
  const by = groupingIn(view);
  const isFiltered = view.one('kinds') !== '';
  const chosen = view.one('chosen');
  const isOnly = view.one('only') !== '' && chosen !== '';
  const columns = useColumns(isColumns ? whole : open);
  const model = useMemo(() => {
    if (!data?.tables) return null;
    const listed = new Set(open.split(','));
    const all = [...data.tables.nodes, ...(data.grown?.nodes ?? [])].map(
      ({ resource }) => resource.id,
    );
    // Where all are open, the list names those that are not.
    const cards = new Set(all.filter((one) => listed.has(one) !== isColumns));
    const opened = { cards, whole: new Set(whole.split(',')), columns, isFiltered };
    return pictureOf(data, opened, compared);
  }, [data, isColumns, open, whole, columns, isFiltered, compared]);
  return useMemo(() => {
    if (!model) return null;
    const path = isOnly ? onlyPath(model, traceOf(chosen, model)) : model;
    return bundled(path, { opened: new Set(unfold.split(',')), isPlain, by });
  }, [model, isOnly, chosen, unfold, isPlain, by]);
}

/** Choose a card or a column, and bring it into sight: out of the bundles it stands in, one by one. */
function useSeek(
  view: AddressView,
  laid: Laid | null,
  handle: RefObject<PictureHandle | null>,
): (id: string) => void {
  const [sought, setSought] = useState('');
  useEffect(() => {
    if (!laid || sought === '') return;
    const { within, cardOf } = laid.model;
    const card = cardOf.get(sought) ?? sought;
    const bundle = laid.model.cards.get(card)?.bundle ? card : within.get(card);
    if (bundle !== undefined) {
      const unfolded = view.list('unfold');
      if (!unfolded.includes(bundle)) view.change({ unfold: [...unfolded, bundle] });
      return;
    }
    handle.current?.reveal(sought);
    setSought('');
  }, [laid, sought, view, handle]);
  return (id) => {
    view.change({ chosen: id });
    setSought(id);
  };
}

/** What a person can do with cards; all of it is a change of the address. */
function useActs(
  view: AddressView,
  handle: RefObject<PictureHandle | null>,
  notify: (notice: string) => void,
): Omit<CardActs, 'point'> {
  const latest = useRef(view);
  useEffect(() => {
    latest.current = view;
  });
  return useMemo(() => {
    const toggled = (name: string, id: string) => {
      const list = latest.current.list(name);
      latest.current.change({
        [name]: list.includes(id) ? list.filter((one) => one !== id) : [...list, id],
      });
    };
    return {
      choose: (id) =>
        latest.current.change({
          chosen: latest.current.one('chosen') === id ? null : id,
          only: null,
        }),
      toggle: (id) => toggled('open', id),
      showAll: (id) => toggled('whole', id),
      grow: (ids) => {
        const grown = new Set([...latest.current.list('grown'), ...ids]);
        notify(grown.size > mostGrown ? lineageWords.fullyGrown(mostGrown) : '');
        latest.current.change({ grown: [...grown].slice(0, mostGrown) });
      },
      unfold: (id) => {
        latest.current.change({ unfold: [...new Set([...latest.current.list('unfold'), id])] });
        // The card that had the keyboard is gone.
        handle.current?.focus();
      },
    };
  }, [handle, notify]);
}
