/** What esbuild says of the files that it wrote, as far as it is asked for here. */
type Outputs = Readonly<
  Record<
    string,
    {
      readonly entryPoint?: string;
      readonly imports: readonly { readonly kind: string; readonly path: string }[];
    }
  >
>;

/** The pages that the text of routes.tsx names. Throws where one was not built. */
export function pagesOf(
  routes: string,
  outputs: Outputs,
  begun: ReadonlySet<string>,
): { readonly address: string; readonly title: string; readonly files: readonly string[] }[];

/** A file of the build, and all that it can't begin without. */
export function filesFrom(file: string, outputs: Outputs): Set<string>;
