// The prompts that agents offer to people: questions that begin with a tool.

/** A prompt with one argument. */
interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly argument: { readonly name: string; readonly description: string };
  /** What is asked, of what was given for the argument. */
  readonly ask: (given: string) => string;
}

/** The longest argument that is taken. */
export const maxArgument = 500;

const table = {
  name: 'name',
  description: 'Name of a table, column, dashboard or chart, such as shop.public.orders.',
};

/** The prompts, in the order in which they are listed. */
export const prompts: readonly Prompt[] = [
  {
    name: 'what_breaks',
    title: 'What breaks if I change this?',
    description: 'What a change of a table or column would reach, and whom to notify.',
    argument: table,
    ask: (name) =>
      `What breaks if I change ${JSON.stringify(name)}? Find it with \`search\`, call \`impact\` with its ` +
      'id, and tell by kind what is reached and why, then what may be reached, then the owners.',
  },
  {
    name: 'where_from',
    title: 'Where does this come from?',
    description: 'The lineage of a table, column, dashboard or chart back to its sources.',
    argument: table,
    ask: (name) =>
      `Where does ${JSON.stringify(name)} come from? Find it with \`search\`, call \`lineage\` with its id ` +
      'and the direction UPSTREAM, and tell the way from the sources to it, step by step.',
  },
  {
    name: 'explain_incident',
    title: 'Explain an incident',
    description: 'What happened, since when, what it reaches, and what was done about it.',
    argument: { name: 'id', description: 'Id of an incident, or the name of what it is about.' },
    ask: (given) =>
      `Explain the incident ${JSON.stringify(given)}. Find it with \`incidents\`, read what its monitor ` +
      'measured with `measurements`, look upstream with `lineage` for a cause, and tell what happened, ' +
      'since when, what lies downstream and what was done.',
  },
];
