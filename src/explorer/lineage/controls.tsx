// The bar above the picture: how much of it there is, in which form, and what is found in it.

import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { AddressView } from '../asking/address.ts';
import { Menu } from '../parts/menu.tsx';
import { useIsWide } from '../window/use-is-wide.ts';
import { lineageWords } from '../words/lineage.ts';
import { kindName, words } from '../words.ts';
import { formIn, type ViewForm } from './direction.ts';
import { Time } from './history/time.tsx';
import type { Model } from './model.ts';
import type { FileKind } from './taking/export.ts';

const stepChoices = ['1', '2', '3', '4', '6', '10'];
const directionChoices = ['', 'upstream', 'downstream'] as const;
const fileKinds = ['svg', 'png', 'csv'] as const;

interface ControlsProps {
  readonly id: string;
  readonly depth: number;
  readonly title: string;
  readonly view: AddressView;
  readonly model: Model | null;
  readonly fit: () => void;
  readonly save: (kind: FileKind) => void;
  readonly find: (id: string) => void;
}

/** The bar. */
export function Controls({ id, depth, title, view, model, fit, save, find }: ControlsProps) {
  const level = view.one('level');
  const isWide = useIsWide();
  const form = formIn(view, isWide);
  const setLevel = (next: string | null) => view.change({ level: next, open: null, whole: null });
  return (
    <div className="bar">
      <div className="where">
        <Link href="/">{words.home}</Link> › <h1>{title}</h1>
      </div>
      <div className="controls">
        <Find model={model} find={find} />
        <Switch
          name={lineageWords.level}
          choices={[
            [lineageWords.tables, level !== 'column', () => setLevel(null)],
            [lineageWords.columns, level === 'column', () => setLevel('column')],
          ]}
        />
        <label>
          {lineageWords.steps}{' '}
          <select
            value={view.one('steps') || '2'}
            onChange={({ currentTarget }) => view.change({ steps: currentTarget.value })}
          >
            {stepChoices.map((steps) => (
              <option key={steps}>{steps}</option>
            ))}
          </select>
        </label>
        <label>
          {lineageWords.direction}{' '}
          <select
            value={view.one('direction')}
            onChange={({ currentTarget }) =>
              view.change({ direction: currentTarget.value || null })
            }
          >
            {directionChoices.map((one) => (
              <option key={one} value={one}>
                {lineageWords.directions[one]}
              </option>
            ))}
          </select>
        </label>
        <Time id={id} depth={depth} view={view} />
        {level === 'column' && (
          <label>
            <input
              type="checkbox"
              checked={view.one('uses') !== ''}
              onChange={({ currentTarget }) =>
                view.change({ uses: currentTarget.checked ? '1' : null })
              }
            />{' '}
            {lineageWords.uses}
          </label>
        )}
        <Kinds view={view} />
        <Switch
          name={lineageWords.view}
          choices={formsOf(isWide, form).map((one) => [
            lineageWords.forms[one],
            one === form,
            () => view.change({ view: one === formsOf(isWide, form)[0] ? null : one }),
          ])}
        />
        {view.one('chosen') !== '' && <OnlyPath view={view} />}
        {form === 'picture' && (
          <button type="button" onClick={fit}>
            {lineageWords.fit}
          </button>
        )}
        <FullScreen />
        <Menu className="choices" says={lineageWords.export}>
          <div className="files">
            {fileKinds
              .filter((kind) => kind === 'csv' || form === 'picture')
              .map((kind) => (
                <button key={kind} type="button" onClick={() => save(kind)}>
                  {lineageWords.files[kind]}
                </button>
              ))}
            <button type="button" onClick={() => print()}>
              {lineageWords.print}
            </button>
          </div>
        </Menu>
      </div>
    </div>
  );
}

/** The forms to choose from: that of the window first. */
function formsOf(isWide: boolean, shown: ViewForm): readonly ViewForm[] {
  if (!isWide) return ['steps', 'picture', 'table'];
  return shown === 'steps' ? ['picture', 'steps', 'table'] : ['picture', 'table'];
}

const kindChoices = ['table', 'query', 'chart', 'dashboard', 'document', 'job', 'event'];

/** Which kinds are shown; the lines pass through the others. */
function Kinds({ view }: { view: AddressView }) {
  const chosen = view.list('kinds');
  const toggle = (kind: string) =>
    view.change({
      kinds: chosen.includes(kind) ? chosen.filter((one) => one !== kind) : [...chosen, kind],
    });
  return (
    <Menu
      className="choices"
      says={`${lineageWords.kinds}${chosen.length > 0 ? ` (${chosen.length})` : ''}`}
    >
      <fieldset>
        <legend className="spoken">{lineageWords.kinds}</legend>
        {kindChoices.map((kind) => (
          <label key={kind}>
            <input type="checkbox" checked={chosen.includes(kind)} onChange={() => toggle(kind)} />{' '}
            {kindName(kind, 2)}
          </label>
        ))}
      </fieldset>
    </Menu>
  );
}

/** Gives all of the screen to the page; left out where the browser can't. */
function FullScreen() {
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    const listen = () => setOn(document.fullscreenElement !== null);
    addEventListener('fullscreenchange', listen);
    return () => removeEventListener('fullscreenchange', listen);
  }, []);
  if (!document.fullscreenEnabled) return null;
  const change = () =>
    isOn ? document.exitFullscreen() : document.getElementById('main')?.requestFullscreen();
  return (
    <button type="button" aria-pressed={isOn} onClick={() => void change()?.catch(() => undefined)}>
      {lineageWords.fullScreen}
    </button>
  );
}

function OnlyPath({ view }: { view: AddressView }) {
  const isOnly = view.one('only') !== '';
  return (
    <button type="button" onClick={() => view.change({ only: isOnly ? null : '1' })}>
      {isOnly ? lineageWords.all : lineageWords.only}
    </button>
  );
}

interface SwitchProps {
  readonly name: string;
  readonly choices: readonly (readonly [string, boolean, () => void])[];
}

function Switch({ name, choices }: SwitchProps) {
  return (
    <fieldset className="switch">
      <legend className="spoken">{name}</legend>
      {choices.map(([label, isOn, choose]) => (
        <button key={label} type="button" aria-pressed={isOn} onClick={choose}>
          {label}
        </button>
      ))}
    </fieldset>
  );
}

interface FindProps {
  readonly model: Model | null;
  readonly find: (id: string) => void;
}

/** Finds cards and their columns by a part of the name; Enter leads from one to the next. */
function Find({ model, find }: FindProps) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const at = useRef(-1);
  const found = useMemo(() => (model && text !== '' ? matches(model, text) : []), [model, text]);
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      const isInPicture = event.target instanceof Element && event.target.closest('.picture');
      if (event.key !== '/' || !isInPicture) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || found.length === 0) return;
    at.current = (at.current + 1) % found.length;
    const id = found[at.current];
    if (id !== undefined) find(id);
  };
  return (
    <span className="seek">
      <input
        ref={field}
        type="search"
        aria-label={lineageWords.find}
        placeholder={lineageWords.find}
        value={text}
        onChange={({ currentTarget }) => {
          at.current = -1;
          setText(currentTarget.value);
        }}
        onKeyDown={press}
      />
      <span className="quiet" role="status">
        {text !== '' && lineageWords.found(found.length)}
      </span>
    </span>
  );
}

/** Ids of what has the text in its name: cards first, then columns that are known. */
function matches({ all: cards, columns }: Model, text: string): string[] {
  const part = text.toLowerCase();
  const has = ({ title }: { readonly title: string }) => title.toLowerCase().includes(part);
  const named = [...cards.values()].filter(({ resource }) => has(resource));
  const rows = [...columns].flatMap(([card, list]) => (cards.has(card) ? list.filter(has) : []));
  return [...named, ...rows].map(({ id }) => id);
}
