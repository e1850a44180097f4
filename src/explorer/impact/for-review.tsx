// Summary for a code review: Markdown to copy, and its preview.

import { Markdown } from '../markdown/markdown.tsx';
import { Copy } from '../parts/copy.tsx';
import { impactWords as words } from '../words/impact.ts';

/** The Markdown. */
export function ForReview({ markdown }: { markdown: string }) {
  return (
    <section className="sheet">
      <h2>{words.markdown}</h2>
      <Copy label={words.copy} text={markdown} />
      <div className="preview">
        <Markdown text={markdown} />
      </div>
    </section>
  );
}
