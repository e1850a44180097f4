// Field for Markdown: a toolbar, the text, its preview, and what may be named in it.

import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Markdown } from '../markdown/markdown.tsx';
import { writingWords as words } from '../words/writing.ts';
import { imageTypes, useImages } from './image-upload.ts';
import { applyTo, replacementBy, toolByKey } from './marks.ts';
import { SuggestingField, useSuggestions } from './suggestions.tsx';
import { Toolbar, type ToolbarTool } from './toolbar.tsx';

interface WritingProps {
  readonly label: string;
  readonly value: string;
  readonly write: (text: string) => void;
  readonly save: () => void;
}

type Mode = 'write' | 'split' | 'preview';
const modes: readonly Mode[] = ['write', 'split', 'preview'];

/** Where both fit next to each other. */
const isRoomy = () => matchMedia('(min-width: 1100px)').matches;

/** How long typing pauses before the preview follows. */
const pauseMs = 200;

/** The field. */
export function Writing({ label, value, write, save }: WritingProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [mode, setMode] = useState<Mode>(() => (isRoomy() ? 'split' : 'write'));
  const suggestions = useSuggestions(field);
  const chooser = useRef<HTMLInputElement>(null);
  const { put, onPaste, onDragOver, onDrop } = useImages(field, write);
  const use = (tool: ToolbarTool) => {
    const { current } = field;
    if (!current) return;
    if (tool === 'image') {
      chooser.current?.click();
      return;
    }
    const { value: text, selectionStart: start, selectionEnd: end } = current;
    applyTo(current, replacementBy(tool, { value: text, start, end }));
    suggestions.look();
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const tool = toolByKey[event.key];
    if (tool) use(tool);
    else if (event.key === 's' || event.key === 'Enter') save();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={`writing ${mode}`}>
      <div className="bar">
        {mode !== 'preview' && <Toolbar use={use} />}
        <input
          ref={chooser}
          type="file"
          hidden
          multiple
          accept={imageTypes.join(',')}
          aria-label={words.chooseImages}
          onChange={({ currentTarget }) => {
            put(currentTarget.files);
            currentTarget.value = '';
          }}
        />
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend in sight */}
        <div className="seg" role="group" aria-label={words.view}>
          {modes.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={mode === one}
              onClick={() => setMode(one)}
            >
              {words.modes[one]}
            </button>
          ))}
        </div>
      </div>
      <div className="panes">
        <div className="pane" hidden={mode === 'preview'}>
          <SuggestingField
            {...{ field, suggestions, value, write, press, id, onPaste, onDragOver, onDrop }}
            aria-label={label}
            aria-describedby={`${id}-hint`}
          />
        </div>
        {mode !== 'write' && <Preview text={value} />}
      </div>
      <p className="quiet foot" id={`${id}-hint`}>
        <span>{words.count(countWords(value))}</span>
        <span>{words.hint}</span>
      </p>
    </div>
  );
}

/** The text as it will be read, once typing pauses. */
function Preview({ text }: { text: string }) {
  const [shown, setShown] = useState(text);
  useEffect(() => {
    const timer = setTimeout(setShown, pauseMs, text);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <section className="preview" aria-label={words.modes.preview}>
      {shown.trim() === '' ? <p className="quiet">{words.nothing}</p> : <Markdown text={shown} />}
    </section>
  );
}

function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}
