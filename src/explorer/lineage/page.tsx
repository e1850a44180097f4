// In charge of the lineage page: what it asks, by what its address says, and what it shows of it.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type AddressView, useAddress } from '../asking/address.ts';
import { useAnswer } from '../asking/use-answer.ts';
import { Page, useTitle } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { kindsIn } from '../search/kinds.ts';
import { words } from '../words.ts';
import type { CardActs } from './card.tsx';
import { Controls } from './controls.tsx';
import { savePng, saveSvg } from './export.ts';
import { honestly } from './honestly.ts';
import { Impact } from './impact.tsx';
import { useLayout } from './layout/use-layout.ts';
import { type Model, pictureOf } from './model.ts';
import { LineagePicture, type LineagePictureData } from './page.graphql';
import { Picture, type PictureHandle } from './picture.tsx';
import { LinesTable } from './table.tsx';
import { onlyPath, traceOf } from './trace.ts';
import { useColumns } from './use-columns.ts';

const usualSteps = '2';

/** The page. Its address holds the view: who opens it elsewhere sees the same. */
export function LineagePage({ id }: { id: string }) {
  const view = useAddress();
  const { data, error, refetch } = useLineage(id, view);
  const title = data?.tables?.nodes.find(({ resource }) => resource.id === id)?.resource.titleFull;
  useTitle(words.lineage.title(title ?? ''));
  if (error) {
    return (
      <Page title={words.lineage.title('')}>
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
  return <Shown id={id} data={data} view={view} />;
}

function useLineage(id: string, view: AddressView) {
  const grown = view.list('grown');
  const asOf = view.one('asOf');
  return useAnswer(
    LineagePicture,
    {
      from: [id],
      grown: grown.length > 0 ? grown : [id],
      all: [id, ...grown],
      depth: Number(view.one('steps') || usualSteps),
      asOf: asOf === '' ? null : `${asOf}T23:59:59Z`,
      hasGrown: grown.length > 0,
      // What decides about rows leads from columns.
      strengths: view.one('uses') === '' ? ['DIRECT'] : ['DIRECT', 'INDIRECT'],
      kinds: kindsIn(view.list('kinds')),
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
  const model = useModel(data, view);
  const laid = useLayout(model);
  const acts = useActs(view, model);
  const chosen = view.one('chosen');
  const isReady = laid !== null;
  const [steps, level] = [view.one('steps'), view.one('level')];
  // biome-ignore lint/correctness/useExhaustiveDependencies: another extent is another picture
  useEffect(() => setFit((count) => count + 1), [isReady, steps, level]);

  const subject = model?.cards.get(chosen === '' ? id : (model.cardOf.get(chosen) ?? chosen));
  const save = async (kind: 'svg' | 'png') => {
    const scene = handle.current?.scene;
    if (!scene) return;
    const name = `lineage of ${model?.cards.get(id)?.resource.titleFull ?? id}`;
    if (kind === 'svg') saveSvg(scene, name);
    else setNotice((await savePng(scene, name)) ? '' : words.lineage.tooLarge);
  };
  return (
    <main className="lineage" id="main" tabIndex={-1}>
      <Controls
        title={model?.cards.get(id)?.resource.titleFull ?? words.lineage.title('')}
        view={view}
        model={model}
        fit={() => setFit(fit + 1)}
        save={(kind) => void save(kind)}
        find={(found) => {
          view.change({ chosen: found });
          handle.current?.reveal(found);
        }}
      />
      {!laid && (
        <div className="picture">
          <Waiting lines={5} />
        </div>
      )}
      {laid && view.one('view') === 'table' && <LinesTable model={laid.model} />}
      {laid && view.one('view') !== 'table' && (
        <Picture laid={laid} chosen={chosen} subject={id} fit={fit} acts={acts} handle={handle} />
      )}
      <p className="honest" role="status">
        {notice || (data?.tables ? honestly(data.tables, laid?.model) : words.loading)}
        {laid?.model.lines.some(({ isIndirect }) => isIndirect) && `; ${words.lineage.dashed}`}
      </p>
      <Impact
        of={chosen === '' ? id : chosen}
        title={titleOf(chosen, subject?.resource.title ?? '', model)}
        choose={(one) => {
          view.change({ chosen: one });
          handle.current?.reveal(one);
        }}
      />
    </main>
  );
}

/** The name of what is chosen: of a column with that of its card. */
function titleOf(chosen: string, card: string, model: Model | null): string {
  const owner = model?.cards.get(model.cardOf.get(chosen) ?? '');
  const column = owner?.rows.find((row) => row.id === chosen);
  return column ? `${card}.${column.title}` : card;
}

/** What is to be laid out: the answer as it is opened, or only the path that is chosen. */
function useModel(data: LineagePictureData | undefined, view: AddressView): Model | null {
  const isColumns = view.one('level') === 'column';
  const [open, whole] = [view.one('open'), view.one('whole')];
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
    return pictureOf(data, { cards, whole: new Set(whole.split(',')), columns });
  }, [data, isColumns, open, whole, columns]);
  return useMemo(
    () => (model && isOnly ? onlyPath(model, traceOf(chosen, model)) : model),
    [model, isOnly, chosen],
  );
}

/** What a person can do with cards; all of it is a change of the address. */
function useActs(view: AddressView, model: Model | null): Omit<CardActs, 'point'> {
  const latest = useRef({ view, model });
  useEffect(() => {
    latest.current = { view, model };
  });
  const toggled = useCallback((name: string, id: string) => {
    const list = latest.current.view.list(name);
    latest.current.view.change({
      [name]: list.includes(id) ? list.filter((one) => one !== id) : [...list, id],
    });
  }, []);
  return useMemo(
    () => ({
      choose: (id) =>
        latest.current.view.change({
          chosen: latest.current.view.one('chosen') === id ? null : id,
          only: null,
        }),
      toggle: (id) => toggled('open', id),
      showAll: (id) => toggled('whole', id),
      grow: (id) => {
        const grown = latest.current.view.list('grown');
        latest.current.view.change({ grown: [...new Set([...grown, id])] });
      },
    }),
    [toggled],
  );
}
