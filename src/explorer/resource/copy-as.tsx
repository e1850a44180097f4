// Copies a resource as a name for SQL, a link, a query, a command.

import { Copy } from '../parts/copy.tsx';
import { Menu } from '../parts/menu.tsx';
import { words } from '../words.ts';

interface CopyAsProps {
  readonly resource: { readonly id: string; readonly titleFull: string };
}

/** The buttons that copy it, behind one, and the link that opens it as a query. */
export function CopyAs({ resource: { id, titleFull } }: CopyAsProps) {
  const query = `query Resource {\n  resource(id: "${id}") {\n    titleFull\n    description\n  }\n}`;
  return (
    <Menu className="copy-as" says={`${words.resource.copy} …`}>
      <div>
        <Copy label={words.resource.copyName} text={titleFull} />
        <Copy label={words.resource.copyLink} text={`${location.origin}/resource/${id}`} />
        <Copy label={words.resource.copyGraphql} text={query} />
        <Copy label={words.resource.copyCurl} text={curlOf(query)} />
        <a href={`/graphql#${new URLSearchParams({ query })}`}>{words.resource.openQuery}</a>
      </div>
    </Menu>
  );
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
