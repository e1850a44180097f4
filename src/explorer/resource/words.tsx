// Texts about a resource: read by all, changed by those who may.

import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { laterPart } from '../asking/version.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { Boundary } from '../window/boundary.tsx';
import { words } from '../words.ts';
import { readDraft } from '../writing/draft.ts';
import { ResourcePage } from './page.graphql';

const loadEditor = async () => (await import('../writing/editor.tsx')).Editor;
const Editor = laterPart(loadEditor);

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
  // Who may write has the editor as soon as the page is there, also without a network.
  useEffect(() => {
    if (mayWrite) loadEditor().catch(() => undefined);
  }, [mayWrite]);
  if (isEditing) {
    const close = async () => {
      await client.invalidateQueries({ queryKey: [ResourcePage.name] });
      setEditing(false);
    };
    return (
      <Boundary frame={(said) => said}>
        <Suspense fallback={<Waiting lines={9} />}>
          <Editor resource={resource} close={() => void close()} />
        </Suspense>
      </Boundary>
    );
  }
  return (
    <section className="sheet">
      <h2>
        {resource.kind === 'question' ? words.resource.question : words.resource.documentation}
      </h2>
      {definition.trim() !== '' && <Markdown text={definition} />}
      {isEmpty && <p className="quiet">{words.resource.undocumented}</p>}
      {mayWrite && (
        <button type="button" onClick={() => setEditing(true)}>
          {isEmpty ? words.resource.write : words.resource.edit}
        </button>
      )}
    </section>
  );
}
