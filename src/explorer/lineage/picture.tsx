// The picture: the canvas with its lines, and the cards that are in sight.

import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  startTransition,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useIsDark } from '../window/theme.ts';
import { lineageWords } from '../words/lineage.ts';
import { BundleView } from './bundles/card.tsx';
import { CardView } from './card.tsx';
import type { CardActs } from './card-frame.tsx';
import { listen } from './gestures.ts';
import type { Point } from './layout/layout.ts';
import type { Laid } from './layout/use-layout.ts';
import { holds } from './model.ts';
import { neighbourOf } from './neighbour.ts';
import { overlap, type Placed, regionOf, type Scene, sceneOf } from './scene.ts';
import { type Near, openStage, type Stage } from './stage.ts';
import { type Trace, traceOf } from './trace.ts';

/** What others ask of the picture. */
export interface PictureHandle {
  /** Bring a card or a column into sight. */
  reveal(id: string): void;
  /** Let the keyboard move the picture. */
  focus(): void;
  readonly scene: Scene | null;
}

interface PictureProps {
  readonly laid: Laid;
  readonly chosen: string;
  /** The resource that the picture is of. */
  readonly subject: string;
  /** Another number asks to bring all into sight. */
  readonly fit: number;
  readonly acts: Omit<CardActs, 'point'>;
  readonly handle: RefObject<PictureHandle | null>;
}

/** The picture. */
export function Picture({ laid, chosen, subject, fit, acts, handle }: PictureProps) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const { stage, near } = useStage({ frame, canvas, layer });
  const { pointed, point } = usePointed();
  const isDark = useIsDark();
  const lit = useMemo(() => {
    // What the pointer was on, or what is chosen, may no longer be in the picture.
    const path = [pointed ?? '', chosen].find((id) => holds(laid.model, id));
    return path === undefined ? null : traceOf(path, laid.model);
  }, [pointed, chosen, laid]);
  const [scene, setScene] = useState<Scene | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are others in the dark
  useEffect(() => {
    if (canvas.current) setScene(sceneOf(laid, getComputedStyle(canvas.current)));
  }, [laid, isDark]);
  useEffect(() => {
    if (scene) stage?.show(scene, lit);
  }, [stage, scene, lit]);
  // What the picture is of stays where it is on the screen, whatever is opened around it.
  const held = useRef<Point | null>(null);
  useEffect(() => {
    const at = laid.layout.places.get(subject) ?? null;
    if (stage && at && held.current) stage.hold(held.current, at);
    held.current = at;
  }, [stage, laid, subject]);
  // Only when it is asked for: opening a card must not move the picture away.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as said
  useEffect(() => {
    const at = laid.layout.places.get(subject) ?? { x: 0, y: 0 };
    stage?.fit(laid.layout, { x: at.x + 122, y: at.y + 60 });
  }, [stage, fit]);
  useImperativeHandle(handle, () => ({
    scene,
    reveal(id) {
      const at = laid.layout.places.get(laid.model.cardOf.get(id) ?? id);
      if (at) stage?.reveal(at);
    },
    focus: () => frame.current?.focus(),
  }));

  const all = useMemo(() => ({ ...acts, point }), [acts, point]);
  const inSight = near && scene ? scene.cards.filter((one) => overlap(regionOf(one), near)) : [];
  const focusOn = useFocus(layer);
  const walk = (event: KeyboardEvent<HTMLElement>) => {
    const next = neighbourOf(event, laid, scene);
    if (!next) return;
    stage?.reveal({ x: next.x, y: next.y });
    focusOn(next.card.id);
  };
  // Who walks by Tab sees where that leads.
  const reach = ({ target }: FocusEvent<HTMLElement>) => {
    const id = target.closest<HTMLElement>('[data-card]')?.dataset.card ?? '';
    const at = laid.layout.places.get(id);
    if (at && target.matches(':focus-visible')) stage?.reveal(at);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is moved like a map, and no form control
    <div
      ref={frame}
      className="picture"
      role="group"
      aria-label={lineageWords.picture(laid.model.all.size)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move it
      tabIndex={0}
      onKeyDown={walk}
    >
      <div aria-hidden="true">
        <canvas ref={canvas} />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it observes where the focus is within */}
      <div ref={layer} className="cards" onFocus={reach}>
        <Cards placed={inSight} chosen={chosen} lit={lit} acts={all} />
      </div>
      <Zoom stage={stage} />
    </div>
  );
}

/** A pointer that stays this long on a card means it: a picture that moves below the pointer lights nothing. */
const meantMs = 80;

/** The card that the pointer is on. All cards are drawn again for it, piece by piece, so that no task is long. */
function usePointed() {
  const [pointed, setPointed] = useState<string | null>(null);
  const timer = useRef(0);
  const point = useCallback((id: string | null) => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => startTransition(() => setPointed(id)), meantMs);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  return { pointed, point };
}

interface StageRefs {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly layer: RefObject<HTMLDivElement | null>;
}

/** The stage in elements of the page, moved by what a person does there, and which part of it needs cards. */
function useStage({ frame, canvas, layer }: StageRefs) {
  const [stage, setStage] = useState<Stage | null>(null);
  const [near, setNear] = useState<Near>(null);
  useEffect(() => {
    if (!frame.current || !canvas.current || !layer.current) return undefined;
    const places = { frame: frame.current, canvas: canvas.current, layer: layer.current };
    const opened = openStage(places, (next) => startTransition(() => setNear(next)));
    const stop = listen(frame.current, opened);
    setStage(opened);
    return () => {
      stop();
      opened.close();
    };
  }, [frame, canvas, layer]);
  return { stage, near };
}

interface CardsProps {
  readonly placed: readonly Placed[];
  readonly chosen: string;
  readonly lit: Trace | null;
  readonly acts: CardActs;
}

function Cards({ placed, chosen, lit, acts }: CardsProps) {
  return placed.map((one) => {
    const { card } = one;
    const state = stateOf(one, { chosen, lit });
    if (card.bundle) return <BundleView key={card.id} placed={one} state={state} acts={acts} />;
    return (
      <CardView
        key={card.id}
        placed={one}
        state={state}
        isChosen={chosen === card.id}
        litRows={lit && card.rows.length > 0 ? lit.ids : null}
        acts={acts}
      />
    );
  });
}

function Zoom({ stage }: { stage: Stage | null }) {
  return (
    <div className="zoom">
      <button type="button" aria-label={lineageWords.larger} onClick={() => stage?.zoom(1.25)}>
        +
      </button>
      <button type="button" aria-label={lineageWords.smaller} onClick={() => stage?.zoom(0.8)}>
        −
      </button>
    </div>
  );
}

function stateOf({ card }: Placed, { chosen, lit }: { chosen: string; lit: Trace | null }): string {
  return [
    card.depth === 0 ? 'start' : '',
    card.change,
    chosen === card.id ? 'chosen' : '',
    lit === null ? '' : lit.ids.has(card.id) ? 'lit' : 'faded',
  ].join(' ');
}

/** Lets the keyboard go to a card: at once, or when it has come into sight and is an element. */
function useFocus(layer: RefObject<HTMLDivElement | null>): (id: string) => void {
  const wanted = useRef('');
  const go = () => {
    if (wanted.current === '') return;
    const name = layer.current?.querySelector<HTMLElement>(`[data-card="${wanted.current}"] .name`);
    if (!name) return;
    wanted.current = '';
    name.focus({ preventScroll: true });
  };
  // However many times the page is drawn until then.
  useEffect(go);
  return (id) => {
    wanted.current = id;
    go();
  };
}
