// Suggestions under the caret: people after `@`, resources after `[[`.

import { type ComponentProps, type KeyboardEvent, type RefObject, useId, useState } from 'react';
import { ResourcesToChoose } from '../asking/choices.graphql';
import { useAnswer } from '../asking/use-answer.ts';
import { useMay } from '../asking/viewer.ts';
import { Avatar } from '../parts/avatar.tsx';
import { type Deprecated, DeprecatedMark } from '../parts/badges.tsx';
import { Icon } from '../parts/icon.tsx';
import { placeOf } from '../parts/link.tsx';
import { writingWords as words } from '../words/writing.ts';
import { placeBelow } from './caret.ts';
import { applyTo } from './marks.ts';
import { linkTo, type Nameable, type Sought, soughtIn } from './sought.ts';
import { PeopleToMention } from './suggestions.graphql';

interface Suggestion extends Nameable {
  readonly deprecation?: Deprecated | null;
  readonly kind: string | null;
  readonly says: string;
}

/** The suggestions of a field. */
export interface SuggestionsOf {
  readonly id: string;
  readonly sought: Sought | null;
  readonly found: readonly Suggestion[];
  /** The one that Enter takes. */
  readonly at: number;
  readonly place: { readonly left: number; readonly top: number };
  /** What the field says of its list to those who listen. */
  readonly described: Readonly<Record<string, string>>;
  /** Look again at what the caret stands behind. */
  look(): void;
  close(): void;
  take(suggestion: Suggestion): void;
  /** Whether a key was for the list. */
  press(event: KeyboardEvent): boolean;
}

/** Suggestions for what is typed in a field. */
export function useSuggestions(field: RefObject<HTMLTextAreaElement | null>): SuggestionsOf {
  const id = useId();
  const [sought, setSought] = useState<Sought | null>(null);
  const [place, setPlace] = useState({ left: 0, top: 0 });
  const [at, setAt] = useState(0);
  const found = useFound(sought);
  const close = () => setSought(null);
  const look = () => {
    const { current } = field;
    if (!current) return;
    const next =
      current.selectionStart === current.selectionEnd
        ? soughtIn(current.value, current.selectionStart)
        : null;
    setSought(next);
    setAt(0);
    if (next) setPlace(placeBelow(current, next.from));
  };
  const take = (suggestion: Suggestion) => {
    if (!field.current || !sought) return;
    applyTo(field.current, linkTo(sought, suggestion, field.current.value));
    close();
  };
  const press = (event: KeyboardEvent): boolean => {
    const chosen = found[at];
    if (!sought || !chosen || event.ctrlKey || event.metaKey) return false;
    const last = found.length - 1;
    if (event.key === 'ArrowDown') setAt(at === last ? 0 : at + 1);
    else if (event.key === 'ArrowUp') setAt(at === 0 ? last : at - 1);
    else if (event.key === 'Enter' || event.key === 'Tab') take(chosen);
    else if (event.key === 'Escape') close();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  const isOpen = sought !== null && found.length > 0;
  return {
    ...{ id, sought, found, at, place, look, close, take, press },
    described: {
      'aria-autocomplete': 'list',
      ...(isOpen ? { 'aria-controls': id, 'aria-activedescendant': `${id}-${at}` } : {}),
    },
  };
}

/** What may be meant; nothing where no name is begun. */
function useFound(sought: Sought | null): readonly Suggestion[] {
  const mayPeople = useMay('read_people');
  const query = sought?.query.trim() ?? '';
  const people = useAnswer(
    PeopleToMention,
    { search: query || null },
    { isKept: true, isWanted: sought?.of === 'person' && mayPeople },
  );
  const resources = useAnswer(
    ResourcesToChoose,
    { query },
    { isKept: true, isWanted: sought?.of === 'resource' && query !== '' },
  );
  if (sought?.of === 'person') {
    return (people.data?.users.nodes ?? []).map(({ id, name, email }) => ({
      ...{ id, name, kind: null, says: email },
    }));
  }
  if (sought === null || query === '') return [];
  return (resources.data?.search.nodes ?? []).map(({ resource }) => ({
    ...{ id: resource.id, name: resource.title, kind: resource.kind, says: placeOf(resource) },
    deprecation: resource.deprecation,
  }));
}

interface SuggestingProps extends Omit<ComponentProps<'textarea'>, 'onChange' | 'onKeyDown'> {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly suggestions: SuggestionsOf;
  readonly write: (text: string) => void;
  /** What keys do that are not for the list. */
  readonly press: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
}

/** The field with its list. */
export function SuggestingField({ field, suggestions, write, press, ...rest }: SuggestingProps) {
  return (
    <>
      <textarea
        ref={field}
        dir="auto"
        {...rest}
        {...suggestions.described}
        onChange={({ currentTarget }) => {
          write(currentTarget.value);
          suggestions.look();
        }}
        onClick={suggestions.look}
        onBlur={suggestions.close}
        onKeyDown={(event) => {
          if (!suggestions.press(event)) press(event);
        }}
      />
      <Suggestions of={suggestions} />
    </>
  );
}

/** The list. */
function Suggestions({ of }: { of: SuggestionsOf }) {
  const { id, sought, found, at, place, take } = of;
  const isOpen = sought !== null && found.length > 0;
  return (
    <>
      <span className="spoken" role="status">
        {isOpen ? words.found(found.length) : ''}
      </span>
      {isOpen && (
        <div
          id={id}
          className="at-caret"
          role="listbox"
          aria-label={words.suggestions[sought.of]}
          style={place}
        >
          <p aria-hidden="true">{words.suggestions[sought.of]}</p>
          {found.map((one, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active one
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
            <div
              key={one.id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => take(one)}
            >
              {one.kind === null ? <Avatar name={one.name} /> : <Icon kind={one.kind} />}
              <bdi>{one.name}</bdi> <DeprecatedMark of={one.deprecation} />{' '}
              <small>{one.says}</small>
            </div>
          ))}
        </div>
      )}
    </>
  );
}
