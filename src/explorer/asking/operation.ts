// In charge of what an operation is to the explorer: a name, the text that is sent, and its types.

/** An operation of a `.graphql` file, as the build hands it on. */
export interface Operation<Data, Variables> {
  readonly name: string;
  readonly text: string;
  /** Never there: it carries the types of what is given and answered. */
  readonly types?: (variables: Variables) => Data;
}
