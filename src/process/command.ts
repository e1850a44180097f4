// The frame of every command: its help, its settings and its exit code.

import { type Config, readConfig } from '../config.ts';
import { serverPlaces } from '../database/await-server.ts';
import { databaseFailure, startFailure } from './start-failure.ts';

/** A command that is run next to the server. */
export interface Command<Options extends { readonly help: boolean }> {
  readonly usage: string;
  /** Read the arguments of the process; throws, in a sentence, what is wrong with them. */
  readonly read: () => Options;
  readonly run: (config: Config, options: Options) => Promise<void>;
}

/** End the process where it is interrupted: what it has written by then is removed on the way out. */
export function endWhenInterrupted(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(1));
  }
}

/**
 * Run a command, and report a failure in a sentence. The exit code: 2 for arguments that can't be used,
 * 1 where it did not do its work.
 */
export async function runCommand<Options extends { readonly help: boolean }>({
  usage,
  read,
  run,
}: Command<Options>): Promise<number> {
  let options: Options;
  try {
    options = read();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    return 2;
  }
  if (options.help) {
    console.log(usage);
    return 0;
  }
  let config: Config | null = null;
  try {
    config = readConfig(process.env);
    await run(config, options);
    return 0;
  } catch (error) {
    // A command goes to the server itself, past any pooler.
    const place = serverPlaces(config ?? {}).at(-1);
    console.error(startFailure(databaseFailure(error, place), config));
    return 1;
  }
}
