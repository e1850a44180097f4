// The type of an image, as its first bytes say it: neither its name nor its sender is believed.

/** The beginnings of files, each with the bytes that stand at a place. */
const signatures: readonly (readonly [
  type: string,
  marks: readonly (readonly [at: number, bytes: string])[],
])[] = [
  ['image/png', [[0, '\x89PNG\r\n\x1a\n']]],
  ['image/jpeg', [[0, '\xff\xd8\xff']]],
  ['image/gif', [[0, 'GIF87a']]],
  ['image/gif', [[0, 'GIF89a']]],
  [
    'image/webp',
    [
      [0, 'RIFF'],
      [8, 'WEBP'],
    ],
  ],
];

/** The types of images that are kept. */
export const mediaTypes: readonly string[] = [...new Set(signatures.map(([type]) => type))];

/** The type of a file that browsers show as an image; null for any other. */
export function mediaTypeOf(content: Uint8Array): string | null {
  const start = Buffer.from(content.subarray(0, 16)).toString('latin1');
  const found = signatures.find(([, marks]) =>
    marks.every(([at, bytes]) => start.startsWith(bytes, at)),
  );
  return found?.[0] ?? null;
}
