// Field for a comment: Markdown, with people after `@` and resources after `[[`.

import { type KeyboardEvent, useId, useRef } from 'react';
import { commentWords as words } from '../../words/questions.ts';
import { SuggestingField, useSuggestions } from '../../writing/suggestions.tsx';

interface CommentFieldProps {
  readonly label: string;
  readonly value: string;
  readonly write: (text: string) => void;
  readonly send: () => void;
  /** Leaves the field as it was; absent where it always stands there. */
  readonly leave?: () => void;
}

/** The field; Ctrl+Enter sends it. */
export function CommentField({ label, value, write, send, leave }: CommentFieldProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const suggestions = useSuggestions(field);
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Escape' && leave) leave();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
    else return;
    event.preventDefault();
  };
  return (
    <div className="comment-field">
      <SuggestingField
        {...{ field, suggestions, value, write, press }}
        rows={3}
        required
        maxLength={10_000}
        // Who pressed Edit goes on in the field.
        autoFocus={leave !== undefined}
        aria-label={label}
        aria-describedby={`${id}-hint`}
      />
      <p className="quiet" id={`${id}-hint`}>
        {words.hint}
      </p>
    </div>
  );
}
