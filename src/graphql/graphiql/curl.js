// Writes a request as a command for a terminal, as it would be sent from there.

/**
 * A request as a curl command. The key is left to the variable KEY of the shell, so that it gets into no
 * history and no chat.
 */
export function curlOf(origin, { query, variables }) {
  const body = { query, ...(variables?.trim() ? { variables: JSON.parse(variables) } : {}) };
  // A stream is shown as it comes.
  const isStream = /^\s*(?:#[^\n]*\s*)*subscription\b/.test(query);
  return [
    `curl ${isStream ? '--no-buffer ' : ''}${quoted(`${origin}/graphql`)}`,
    `-H "Authorization: Bearer $KEY"`,
    `-H 'content-type: application/json'`,
    `-H 'accept: ${isStream ? 'text/event-stream' : 'application/graphql-response+json'}'`,
    `--data-raw ${quoted(JSON.stringify(body))}`,
  ].join(' \\\n  ');
}

/** A text as one word of a shell. */
function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
