// The list below the search field.

import { useEffect } from 'react';
import { DeprecatedMark } from '../parts/badges.tsx';
import { Icon } from '../parts/icon.tsx';
import { placeOf } from '../parts/link.tsx';
import { Marked } from '../search/marked.tsx';
import { frameWords } from '../words/frame.ts';
import { words as common, kindName } from '../words.ts';
import type { Option } from './options.ts';

const words = frameWords.find;

/** The id of an option, for the field that marks it. */
export function optionId(at: number): string {
  return `suggestion-${at}`;
}

interface OptionListProps {
  readonly options: readonly Option[];
  readonly marked: Option | undefined;
  readonly take: (option: Option, isApart: boolean) => void;
}

/** All options under their headings, the marked one in sight. */
export function OptionList({ options, marked, take }: OptionListProps) {
  const at = marked ? options.indexOf(marked) : -1;
  useEffect(() => {
    document.getElementById(optionId(at))?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <div className="suggestions pop">
      <p className="spoken" role="status">
        {options.length === 0 ? words.none : words.found(options.length)}
      </p>
      <div id="suggestions" role="listbox" aria-label={words.results}>
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field, which marks an option
          <div
            key={`${option.group} ${option.href ?? option.text}`}
            id={optionId(index)}
            role="option"
            // Focus stays in the field.
            tabIndex={-1}
            aria-selected={option === marked}
            onPointerDown={(event) => event.preventDefault()}
            onClick={(event) => take(option, event.ctrlKey || event.metaKey)}
          >
            {option.group !== '' && option.group !== options[index - 1]?.group && (
              <b className="group" aria-hidden="true">
                {option.group}
              </b>
            )}
            <Line option={option} />
          </div>
        ))}
      </div>
      <p className="keys" aria-hidden="true">
        {['↑ ↓', 'Enter', 'Ctrl Enter', 'Esc'].map((key, index) => (
          <span key={key}>
            <kbd>{key}</kbd> {words.keys[index]}
          </span>
        ))}
        <span className="marks">
          {['>', '@', '#'].map((mark, index) => (
            <span key={mark}>
              <kbd>{mark}</kbd> {words.hint[index]}
            </span>
          ))}
        </span>
      </p>
    </div>
  );
}

function Line({ option: { icon, name, found, group } }: { option: Option }) {
  const title = found?.highlights.find(({ field }) => field === 'title');
  return (
    <span className="line">
      <span className="chip" data-kind={icon}>
        <Icon kind={icon} />
      </span>
      <span dir="auto">{title ? <Marked piece={title} /> : name}</span>
      <DeprecatedMark of={found?.resource.deprecation} />
      {found && <small>{whereOf(found)}</small>}
      {group === words.best && (
        <span className="press" aria-hidden="true">
          <kbd>Enter</kbd>
        </span>
      )}
    </span>
  );
}

function whereOf({ resource }: NonNullable<Option['found']>): string {
  const { kind, totalUsage, owners } = resource;
  const place = placeOf(resource);
  return [
    kindName(kind),
    ...(place === kindName(kind) ? [] : [place]),
    ...owners.slice(0, 1).map((owner) => owner.name),
    ...(totalUsage > 0 ? [common.search.uses(totalUsage)] : []),
  ].join(' · ');
}
