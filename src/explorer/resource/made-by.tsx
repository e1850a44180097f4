// The SQL of a resource: as it runs, and as it is written in its project.

import { words } from '../words.ts';
import { type ResourceShown, sqlOf } from './shown.ts';

/** The texts; nothing where none is known. */
export function MadeBy({ resource }: { resource: ResourceShown }) {
  const texts = sqlOf(resource);
  if (!texts) return null;
  const { sql, raw } = texts;
  return (
    <>
      {sql && <Code title={words.resource.sql} text={sql} />}
      {raw && raw !== sql && <Code title={words.resource.asWritten} text={raw} />}
    </>
  );
}

function Code({ title, text }: { title: string; text: string }) {
  return (
    <section className="sheet">
      <h2>{title}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the page is moved by keys */}
      <pre tabIndex={0}>{text}</pre>
    </section>
  );
}
