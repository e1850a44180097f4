// The list of gates: what each shows, how it is run, and what its negative control takes away.

export interface Gate {
  readonly name: string;
  /** What holds where it passes, in a line. */
  readonly shows: string;
  readonly run: Program | Tests;
  /** The name of its negative control in controls.mjs. */
  readonly without: string;
  /** Names of more of them: each is a run of its own. */
  readonly alsoWithout?: readonly string[];
  /** Which of its bars are of time, so that it is to have a machine for itself. */
  readonly ofTime?: 'some' | 'all';
}

/** A program of the project that counts, and ends with 1 where its bar is missed. */
export interface Program {
  readonly program: string;
  /** Matches the line in which it says what it counted. */
  readonly counts: RegExp;
  readonly args?: readonly string[];
  /** Arguments of a run that takes a minute or so; none where the whole one does. */
  readonly quick?: readonly string[];
  /** Whether DATABASE_URL is to name a PostgreSQL server that is the system's, for as long as it runs. */
  readonly onPostgres?: boolean;
}

/** Files of tests that show it at full strength. */
export interface Tests {
  readonly tests: readonly string[];
  /** How it differs from a run of these files with the others. */
  readonly env?: Readonly<Record<string, string>>;
  readonly quickEnv?: Readonly<Record<string, string>>;
}

export const gates: readonly Gate[] = [
  {
    name: 'kills',
    shows:
      'kill -9 of the server and its database under writes: nothing acknowledged is lost or torn',
    run: { program: 'gates/kills.ts', counts: /^\d+ kills: /, quick: ['--rounds', '8'] },
    without: 'flushes',
    ofTime: 'some',
  },
  {
    name: 'one-folder',
    shows:
      'of eight processes that start at once on one folder one gets it, the others say who has it',
    run: {
      program: 'gates/one-folder.ts',
      counts: /^\d+ rounds of \d+ servers: /,
      quick: ['--rounds', '4'],
    },
    without: 'claim',
  },
  {
    name: 'containers',
    shows: 'the same from other namespaces, host names and accounts; a dead holder holds nothing',
    run: { tests: ['test/database/server/accounts.gate.test.ts'] },
    without: 'claim',
  },
  {
    name: 'interrupted',
    shows: 'kill -9 within migrations and within measurements: nothing half done, nothing twice',
    run: {
      program: 'gates/interrupted.ts',
      counts: /^\d+ kills in migrations, /,
      quick: ['--rounds', '5'],
    },
    without: 'whole steps',
  },
  {
    name: 'endless-query',
    shows: 'statements that never end are cut, and the server answers meanwhile',
    run: { program: 'gates/endless-query.ts', counts: /^\d+ endless statements: / },
    without: 'bounds',
    ofTime: 'some',
  },
  {
    name: 'jobs',
    shows: 'monitors on time while workers are killed: none missed, none measured twice',
    run: {
      ...{ program: 'bench/monitors.ts', counts: /^\d+ workers killed, /, onPostgres: true },
      quick: ['--rounds', '3', '--kills', '12', '--tables', '60'],
    },
    without: 'sweep',
    ofTime: 'some',
  },
  {
    name: 'away',
    shows: 'a PostgreSQL server that restarts, or swallows everything for half a minute',
    run: { program: 'gates/away.ts', counts: /^Written again /, quick: ['--seconds', '10'] },
    without: 'patience',
    ofTime: 'some',
  },
  {
    name: 'terminate',
    shows:
      'its connections ended, its database stopped and frozen: it lives, receives again, loses nothing',
    run: {
      program: 'gates/terminate.ts',
      counts: /^\d+ writes and \d+ imported tables acknowledged, /,
      quick: ['--seconds', '10'],
    },
    without: 'listening again',
  },
  {
    name: 'rolling',
    shows: 'servers restarted in turn under load: no request fails',
    run: {
      program: 'gates/rolling.ts',
      counts: /^\d+ requests answered in \d+ restarts, /,
      quick: ['--requests', '3000'],
    },
    without: 'draining',
  },
  {
    name: 'disk-full',
    shows: 'no room for uploads or for the database: 507 or 503, nothing corrupt, and it recovers',
    run: { program: 'gates/disk-full.ts', counts: /^Uploads without room: / },
    without: 'words for a full disk',
  },
  {
    name: 'upload',
    shows: 'a file of 500 MB costs 150 MB of memory at most, a line of 200 MB is refused at once',
    run: { program: 'gates/upload.ts', counts: /^\d+ MB: memory /, quick: ['--megabytes', '100'] },
    without: 'longest line',
    ofTime: 'some',
  },
  {
    name: 'starved',
    shows: 'a start on one core with twenty others on it succeeds, or says what it waits for',
    run: { program: 'gates/starved.ts', counts: /^\d+ loops on the core of the server: / },
    without: 'waiting for a server',
  },
  {
    name: 'backup',
    shows:
      'a backup under writes is of one moment, and what is restored has its counts and checksums',
    run: {
      tests: [
        'test/database/backups/one-moment.gate.test.ts',
        'test/database/backups/round-trip.process.test.ts',
      ],
    },
    without: 'one moment',
  },
  {
    name: 'races',
    shows:
      'a team deleted while it is given resources, one lineage drawn twice: no orphan, two entries',
    run: {
      program: 'gates/races.ts',
      counts: /^\d+ teams deleted while given a table: /,
      quick: ['--races', '100'],
    },
    without: 'locks',
  },
  {
    name: 'idempotency',
    shows: 'fifty equal Idempotency-Keys at once have one effect, twenty times',
    run: { tests: ['test/rest/cost.test.ts'], env: { ROUNDS: '20' } },
    without: 'idempotency',
  },
  {
    name: 'edits',
    shows: 'people who change one thing at once, with imports beside: nothing is lost',
    run: { program: 'gates/edits.ts', counts: /^\d+ races: /, quick: ['--races', '120'] },
    without: 'locks',
  },
  {
    name: 'leaks',
    shows:
      'every role, every field and path, ids of other workspaces: nothing that is not for who asks',
    run: {
      tests: [
        'test/roles/table.test.ts',
        'test/roles/kind-fields.test.ts',
        'test/roles/subscriptions.test.ts',
        'test/roles/leaks.test.ts',
        'test/roles/unseen.test.ts',
        'test/roles/fields.test.ts',
        'test/graphql/tenants.gate.test.ts',
        'test/auth/api-key.test.ts',
      ],
    },
    without: 'visibility',
    alsoWithout: ['closed teams', 'roles'],
  },
  {
    name: 'canaries',
    shows:
      'secrets that were used, or that are shown once, are in no other answer, log, error, audit entry, dump or file',
    run: {
      tests: [
        'test/secrets/canary.gate.test.ts',
        'test/secrets/made.gate.test.ts',
        'test/secrets/canaries.test.ts',
      ],
    },
    without: 'redaction',
  },
  {
    name: 'fuzz',
    shows:
      'hostile values for every field of GraphQL and operation of REST, and 20,000 mutated statements: no 5xx, no hang, no table that a text does not name',
    run: {
      tests: [
        'test/rest/hostile.gate.test.ts',
        'test/graphql/hostile.gate.test.ts',
        'test/limits/request-size.test.ts',
        'test/lineage/sql/mutation.test.ts',
      ],
      env: { FUZZ_RUNS: '200', MUTATIONS: '20000' },
      quickEnv: { FUZZ_RUNS: '50', MUTATIONS: '2000' },
    },
    without: 'checks of values',
  },
  {
    name: 'query-bombs',
    shows:
      'literals, variables, defaults, fragments, aliases, directives: refused within 50 ms of CPU',
    run: { program: 'gates/query-bombs.ts', counts: /^\d+ bombs, / },
    without: 'costs',
  },
  {
    name: 'main-thread',
    shows: 'no task of the main thread takes more than 50 ms of CPU',
    run: { tests: ['test/limits/main-thread.timed.test.ts'] },
    without: 'bounds',
    ofTime: 'all',
  },
  {
    name: 'slow-sockets',
    shows: 'three hundred clients that send slowly are cut within 15 s, and others are served',
    run: { program: 'gates/slow-sockets.ts', counts: /^\d+ slow sockets: / },
    without: 'bounds',
    ofTime: 'some',
  },
  {
    name: 'addresses',
    shows: 'more than sixty spellings of forbidden addresses, rebinding, redirects: no connection',
    run: { tests: ['test/integrations/address.test.ts'] },
    without: 'address checks',
  },
  {
    name: 'hostile-sql',
    shows: 'hostile SQL of monitors changes nothing in any source, and is cut in time',
    run: {
      tests: [
        'test/monitors/scans/hostile-sql.test.ts',
        'test/monitors/scans/user-sql.test.ts',
        'test/monitors/scans/cuts.timed.test.ts',
        'test/integrations/connectors/duckdb-memory.gate.test.ts',
      ],
    },
    without: 'read only',
  },
  {
    name: 'poolers',
    shows:
      'PgBouncer in transaction mode, databases not in UTC: it works, or the start says why not',
    run: {
      tests: [
        'test/database/pooler.test.ts',
        'test/database/remote-server.process.test.ts',
        'test/deploy/pgbouncer.process.test.ts',
        'test/gates/start-failures.gate.test.ts',
      ],
    },
    without: 'UTC',
  },
  {
    name: 'import-beside',
    shows: 'an import of 600,000 lines beside four clients: none fails, reads hardly wait',
    run: {
      program: 'bench/import-beside.ts',
      counts: /^\d+ requests, \d+ failed; /,
      quick: ['--resources', '20000', '--lineages', '40000', '--before', '5000', '--quiet', '15'],
    },
    without: 'changing last',
    ofTime: 'some',
  },
  {
    name: 'revoked',
    shows:
      'a key revoked, a session ended, a user demoted or deactivated: subscriptions and sessions end within 5 s, on every process',
    run: {
      tests: [
        'test/limits/subscriptions.test.ts',
        'test/auth/api-key.test.ts',
        'test/sign-in/two-processes.test.ts',
        'test/sign-in/session.test.ts',
      ],
    },
    without: 'looking again',
  },
];

/** Those that `--quick` runs: what has other bars than those of time, and no test shows as well. */
export const quickGates = gates.filter(
  ({ run, ofTime }) => ofTime !== 'all' && ('program' in run || run.env !== undefined),
);

/** The names of all its negative controls. */
export function controlsOf({ without, alsoWithout = [] }: Gate): string[] {
  return [without, ...alsoWithout];
}

/**
 * What the test files of a gate run with: properties try the same in each run, or what SEED names; none is skipped, and
 * what they count is printed.
 */
export function testEnvOf({ run }: Gate, isQuick: boolean): Readonly<Record<string, string>> {
  if (!('tests' in run)) return {};
  const quick = isQuick ? run.quickEnv : {};
  return { SEED: process.env.SEED ?? '1', ...run.env, ...quick, NO_SKIPS: '1', GATE: '1' };
}

/** The gate of a name; undefined where there is none. */
export function gateOf(name: string): Gate | undefined {
  return gates.find((gate) => gate.name === name);
}
