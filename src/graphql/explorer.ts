// In charge of GraphiQL: the page on which people explore the schema, made of our own files alone.

/** Render the page. Its modules are large, so that they are loaded when a browser first asks. */
export async function renderExplorer(): Promise<string> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  return renderGraphiQL({ endpoint: '/graphql', title: 'Headwater' });
}
