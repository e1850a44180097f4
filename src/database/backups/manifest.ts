// What a backup says about itself: what it was made of, and what it holds.

import { z } from 'zod';
import { damaged } from './tar.ts';

/** Grows with each change of the file's form that an older program could not read. */
export const formatVersion = 1;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().nonnegative();

const headerShape = z.object({
  format: z.literal(formatVersion),
  /** Version of the program that made the backup. */
  program: z.string(),
  /** Version of the PostgreSQL server it was made on, such as `15.18`. */
  postgresql: z.string(),
  /** The moment that the backup shows, in ISO 8601. */
  takenAt: z.string(),
  /** The migrations that the database had, in order. */
  migrations: z.array(z.object({ name: z.string(), checksum: sha256 })),
  /** The tables in the order of the file, with the columns that their rows are written by. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
});

const tallyShape = z.object({
  rows: count,
  /** Length of the uncompressed rows. */
  bytes: count,
  /** SHA-256 of the uncompressed rows, in hex. */
  sha256,
});

const manifestShape = headerShape.extend({
  contents: z.array(tallyShape.extend({ table: z.string() })),
  /** Sequences, and the number that each gives next. */
  sequences: z.array(z.object({ name: z.string(), next: z.string().regex(/^-?\d{1,19}$/) })),
  workspaces: z.array(z.object({ id: z.string(), name: z.string(), resources: count })),
});

/** What a restore has to know before it reads rows; the first entry of the file. */
export type Header = z.infer<typeof headerShape>;
/** How much a table holds, and its checksum. */
export type Tally = z.infer<typeof tallyShape>;
/** All that a backup says about itself; the last entry of the file but for the checksums. */
export type Manifest = z.infer<typeof manifestShape>;

/** A header or a manifest as the bytes of its entry. */
export function toBytes(value: Header | Manifest): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

/** Read the header. Throws where it is of a newer format, or is none. */
export function readHeader(bytes: Buffer): Header {
  const value = parse(bytes, 'header.json');
  const form = z.object({ format: z.number() }).safeParse(value);
  if (form.success && form.data.format > formatVersion) {
    throw new Error(
      `The backup has format ${form.data.format}, and this program reads format ${formatVersion}: ` +
        'restore it with a newer version.',
    );
  }
  const header = headerShape.safeParse(value);
  if (!header.success) throw damaged('header.json', header.error);
  return header.data;
}

/** Read the manifest. Throws where it is none. */
export function readManifest(bytes: Buffer): Manifest {
  const manifest = manifestShape.safeParse(parse(bytes, 'manifest.json'));
  if (!manifest.success) throw damaged('manifest.json', manifest.error);
  return manifest.data;
}

function parse(bytes: Buffer, entry: string): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw damaged(entry, error);
  }
}
