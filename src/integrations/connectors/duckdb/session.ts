// One opening of a DuckDB file, in a process of its own.

import { deserialize } from 'node:v8';
import { onAbort } from '../../../async/abort.ts';
import { unavailable } from '../../../errors.ts';
import { ChildEnded, type ChildProgram, openChild } from '../../../process/child-program.ts';
import type { RunSession } from '../assemble.ts';
import { refused, SourceRefusal, tooSlow } from '../failure.ts';
import type { FileAnswer, FileQuestion } from './file-reader.ts';

// What keeps SQL from reading other files, loading code, or changing its own limits.
const options: Readonly<Record<string, string>> = {
  access_mode: 'READ_ONLY',
  enable_external_access: 'false',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  memory_limit: '512MB',
  threads: '2',
  lock_configuration: 'true',
};

/** Memory that the work on a file may take, the 512 MB that DuckDB allows its tables included. */
const maxBytes = 768_000_000;

/** Open a file by its real path. Throws UNAVAILABLE where the driver is missing, SourceRefusal for what DuckDB says. */
export async function openDuckDb(path: string, signal: AbortSignal): Promise<RunSession> {
  signal.throwIfAborted();
  const child = openChild(new URL('./file-reader.ts', import.meta.url), maxBytes);
  const stopListening = onAbort(signal, () => void child.kill());
  try {
    await rowsOf(child, { open: path, options });
  } catch (error) {
    await child.kill();
    throw error;
  } finally {
    stopListening();
  }
  return {
    lasts: true,
    link: null,
    destroy: () => child.kill(),
    async run(sql, timeoutMs) {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        void child.kill();
      }, timeoutMs);
      try {
        return { rows: await rowsOf(child, { sql }) };
      } catch (error) {
        throw isLate ? tooSlow('The query', timeoutMs) : error;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

async function rowsOf(child: ChildProgram, question: FileQuestion): Promise<unknown[][]> {
  const answer = await child.ask(question).catch((error: unknown) => {
    if (!(error instanceof ChildEnded)) throw error;
    const reason = error.isOverMemory
      ? `the query needs more than the ${maxBytes / 1_000_000} MB of memory that it may have.`
      : 'the process that reads the file ended.';
    throw refused(reason);
  });
  // Of our own program.
  const said = answer as FileAnswer;
  if ('isMissing' in said) {
    throw unavailable(
      'The driver of DuckDB is not installed on this server: npm install @duckdb/node-api.',
    );
  }
  if ('refused' in said) throw refused(said.refused);
  if ('failed' in said) throw new SourceRefusal(said.failed, kindOf(said.failed));
  return deserialize(said.rows);
}

/** DuckDB's errors begin with their kind, such as `Catalog Error: `. */
function kindOf(said: string): string {
  return /^([A-Z][a-z]+(?: [A-Za-z]+){0,2}) Error: /.exec(said)?.[1] ?? 'DuckDB';
}
