// Copies a resource as a name for SQL, a link, a query, a command.

import { Copy } from '../../parts/copy.tsx';
import { sqlName } from '../../words/names/sql-name.ts';
import { words } from '../../words.ts';

interface CopyAsProps {
  readonly resource: {
    readonly id: string;
    readonly kind: string;
    readonly title: string;
    readonly titleFull: string;
    readonly parent: Above | null;
    readonly integration: { readonly type: string } | null;
  };
}

interface Above {
  readonly kind: string;
  readonly title: string;
  readonly parent?: Above | null;
}

/** The buttons that copy it, and the link that opens it as a query. */
export function CopyAs({ resource }: CopyAsProps) {
  const { id, titleFull } = resource;
  const name = sqlName(resource, holdersOf(resource), resource.integration?.type ?? null);
  const query = `query Resource {\n  resource(id: "${id}") {\n    titleFull\n    description\n  }\n}`;
  return (
    <>
      <p className="group">{words.resource.copy}</p>
      <Copy label={words.resource.copyName} text={name ?? titleFull} />
      <Copy label={words.resource.copyLink} text={`${location.origin}/resource/${id}`} />
      <Copy label={words.resource.copyGraphql} text={query} />
      <Copy label={words.resource.copyCurl} text={curlOf(query)} />
      <a href={`/graphql#${new URLSearchParams({ query })}`}>{words.resource.openQuery}</a>
    </>
  );
}

/** What a resource lies in, the innermost first. */
function holdersOf({ parent }: { readonly parent?: Above | null }): Above[] {
  return parent ? [parent, ...holdersOf(parent)] : [];
}

/** The query as a command. The key is left to the variable KEY of the shell. */
function curlOf(query: string): string {
  const body = JSON.stringify({ query }).replaceAll("'", `'\\''`);
  return [
    `curl '${location.origin}/graphql'`,
    `-H "Authorization: Bearer $KEY"`,
    `-H 'content-type: application/json'`,
    `--data-raw '${body}'`,
  ].join(' \\\n  ');
}
