// Texts about a resource: read by all, changed by those who may.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Markdown } from '../markdown/markdown.tsx';
import { words } from '../words.ts';
import { readDraft } from '../writing/draft.ts';
import { LaterEditor, useEditorAhead } from '../writing/later-editor.ts';
import { ResourcePage } from './page.graphql';

interface WordsProps {
  readonly resource: {
    readonly id: string;
    readonly kind: string;
    readonly version: number;
    readonly title: string;
    readonly description: string | null;
    readonly definition: string;
    readonly currentUserPermissions: { readonly write: boolean };
  };
}

/** The documentation, or the editor of it. */
export function Words({ resource }: WordsProps) {
  const { id, description, definition, currentUserPermissions } = resource;
  const mayWrite = currentUserPermissions.write;
  const [isEditing, setEditing] = useState(() => mayWrite && readDraft(id) !== null);
  const client = useQueryClient();
  const isEmpty = definition.trim() === '' && (description ?? '').trim() === '';
  useEditorAhead(mayWrite);
  if (isEditing) {
    const close = async () => {
      await client.invalidateQueries({ queryKey: [ResourcePage.name] });
      setEditing(false);
    };
    return <LaterEditor resource={resource} close={() => void close()} />;
  }
  return (
    <section className="sheet">
      <h2>
        {resource.kind === 'question' ? words.resource.question : words.resource.documentation}
      </h2>
      {definition.trim() !== '' && <Markdown text={definition} />}
      {isEmpty && <p className="quiet">{words.resource.undocumented}</p>}
      {mayWrite && (
        <button type="button" aria-keyshortcuts="e" onClick={() => setEditing(true)}>
          {isEmpty ? words.resource.write : words.resource.edit}
        </button>
      )}
    </section>
  );
}
