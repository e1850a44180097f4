// What a command says: JSON for programs, words for people.

/** Print the value with `--json`, else the words. */
export function print(
  { json = false }: { readonly json?: boolean },
  value: unknown,
  words: string,
): void {
  console.log(json ? JSON.stringify(value, null, 2) : words);
}
