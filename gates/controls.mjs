// Negative controls: what each takes out of the program's sources before they are compiled.
//
// A gate that passes shows something only where it fails without the thing that it is about. WITHOUT=locks
// takes out the row locks, and so on; `npm run gates -- NAME --control` sets it and wants a failure.

/** By name. A change without a path is done to every source that holds it. */
export const controls = {
  bounds: [
    change('src/http/intake.ts', 'const patience = 10_000;', 'const patience = 1e9;'),
    change('src/http/intake.ts', 'const longBytes = 50_000;', 'const longBytes = 1e9;'),
    change('src/http/intake.ts', 'const bytesPerRound = 65_536;', 'const bytesPerRound = 1e15;'),
    change('src/http/intake.ts', 'const perRound = 4;', 'const perRound = 1e9;'),
    change('src/limits/connections.ts', 'headersTimeout: 5_000,', 'headersTimeout: 0,'),
    change('src/limits/connections.ts', 'const lingerMs = 1_000;', 'const lingerMs = 1e9;'),
    change(
      'src/limits/cooperative-scheduler.ts',
      'export const maxFields = 500_000;',
      'export const maxFields = 1e15;',
    ),
    change(
      'src/limits/cooperative-scheduler.ts',
      'const fieldsPerTurn = 1_500;',
      'const fieldsPerTurn = 1e15;',
    ),
    change('src/limits/bounds.ts', 'const threadsPerKey = 1;', 'const threadsPerKey = 100;'),
    change('src/limits/bounds.ts', 'database.connectionsPerKey', '1_000'),
    change(
      'src/database/connections/received.ts',
      'const perRound = 65_536;',
      'const perRound = 1e15;',
    ),
    change(
      'src/limits/bounds.ts',
      '{ requestsPerKey: 8, timeoutMs: 10_000, databaseMs: 20_000 }',
      '{ requestsPerKey: 1_000, timeoutMs: 3_600_000, databaseMs: 3_600_000 }',
    ),
    change('src/config.ts', '.default(30_000)', '.default(3_600_000)'),
  ],
  flushes: [
    change(
      'src/database/server/settings.ts',
      "'relaxed' ? 'off' : 'on'",
      "'relaxed' ? 'on' : 'off'",
    ),
  ],
  claim: [
    change(
      'src/database/server/claim.ts',
      'throw new FolderInUse(folder, state);',
      'return async () => {};',
    ),
  ],
  // What is there by half, and what was done before.
  'whole steps': [
    change(
      'src/database/migrations/lock-wait.ts',
      "await client.query('begin');",
      "await client.query('select');",
    ),
    change('src/monitors/runs/outcome.ts', 'and x.job_id = ', 'and false and x.job_id = '),
  ],
  sweep: [change('src/jobs/lease.ts', 'q.lease_until < now()', 'q.lease_until < now() and false')],
  patience: [
    change(
      'src/database/connections/patience.ts',
      'const probeAfterMs = 2_000;',
      'const probeAfterMs = 1e9;',
    ),
  ],
  'listening again': [change('src/database/listen.ts', '    setArriving(false);', '    return;')],
  'words for a full disk': [
    change('src/database/failure.ts', "code === '53100'", "code === 'none'"),
    change('src/rest/upload.ts', "code === 'ENOSPC' || code === 'EDQUOT'", "code === 'none'"),
  ],
  'longest line': [
    change('src/integrations/readers/lines.ts', 'if (length <= maxLineBytes) return;', 'return;'),
  ],
  'waiting for a server': [
    change(
      'src/database/await-server.ts',
      'const defaultLimitMs = 30_000;',
      'const defaultLimitMs = 1;',
    ),
  ],
  'one moment': [change('src/database/backups/snapshot.ts', 'repeatable read', 'read committed')],
  idempotency: [
    change('src/jobs/idempotency.ts', 'if (taken.length === 0) return', 'if (false) return'),
  ],
  visibility: [
    change('src/auth/permission.ts', '{resource}.published`', '{resource}.published or true`'),
  ],
  'closed teams': [
    change('src/auth/permission.ts', "{team}.type = 'OPEN' or", '{team}.type is not null or'),
  ],
  roles: [change('src/auth/permission.ts', "'read people': members,", "'read people': everyone,")],
  redaction: [
    change(
      'src/secrets/redaction.ts',
      '  const scrub = (text: string) => {\n    made ??=',
      '  const scrub = (text: string) => {\n    if (text) return text;\n    made ??=',
    ),
  ],
  // Before the database is asked, and what it refuses itself.
  'checks of values': [
    change(
      'src/limits/request-size.ts',
      'export const maxDepth = 64;',
      'export const maxDepth = 1e9;',
    ),
    change('src/text/uuid.ts', 'return pattern.test(value);', 'return true;'),
    change('src/text/text.ts', "return !text.includes('\\0') &&", 'return true ||'),
    change('src/database/failure.ts', 'if (isDataException(code))', 'if (false)'),
  ],
  costs: [
    change('src/graphql/limits/cost-limit.ts', 'if (cost.total > maxCost)', 'if (cost.total < 0)'),
  ],
  'address checks': [
    change('src/network/address.ts', "if (standing === 'public') return true;", 'return true;'),
  ],
  'read only': [
    change('src/integrations/connectors/postgres/session.ts', 'BEGIN READ ONLY', 'BEGIN'),
    change(
      'src/integrations/connectors/mysql/session.ts',
      'SET SESSION TRANSACTION READ ONLY',
      'SET SESSION TRANSACTION READ WRITE',
    ),
    change(
      'src/integrations/connectors/mysql/session.ts',
      'START TRANSACTION READ ONLY',
      'START TRANSACTION READ WRITE',
    ),
    change(
      'src/integrations/connectors/duckdb/session.ts',
      "access_mode: 'READ_ONLY',",
      "access_mode: 'READ_WRITE',",
    ),
  ],
  UTC: [
    change('src/database/open.ts', "TimeZone: 'UTC',", ''),
    change(
      'src/database/connections/utc.ts',
      'if (utc.includes(zone.toLowerCase())) return;',
      'return;',
    ),
  ],
  'looking again': [
    change('src/graphql/subscriptions.ts', 'const lookMs = 1_500;', 'const lookMs = 1e9;'),
    change('src/auth/viewer-memory.ts', 'const rememberMs = 3_000;', 'const rememberMs = 1e9;'),
  ],
  // An import that locks first what it leaves to the last.
  'changing last': [
    change(
      'src/integrations/imports/import.ts',
      'await insertResources(',
      "await tx.db.$executeRawUnsafe('lock table resource in exclusive mode');\n  await insertResources(",
    ),
  ],
  draining: [change('src/process/stop.ts', 'within(drainMs, skipped),', 'within(0, skipped),')],
  // What the queue of jobs skips stays locked.
  locks: [
    {
      from: /\bfor (?:no key )?update(?! skip| of \w+ skip)(?: of \w+)?\b|\bfor (?:key )?share\b/g,
      to: '',
    },
    // Moves lock other rows than each other, and take turns by a lock of their own.
    change('src/resources/editing/lock.ts', 'await holdName(ctx,', 'void (ctx,'),
  ],
};

function change(path, from, to) {
  return { path, from, to };
}

/** A source of the program without what a control takes out of it. Throws where that is not there. */
export function without(control, file, source) {
  const [place = ''] = file.split('?');
  if (!/\/src\/.*\.ts$/.test(place)) return source;
  const changes = controls[control];
  if (!changes) throw new Error(`There is no control ${control}.`);
  let changed = source;
  for (const { path, from, to } of changes) {
    if (path !== undefined && !place.endsWith(`/${path}`)) continue;
    if (typeof from === 'string' && !changed.includes(from)) {
      throw new Error(`${path} does not hold: ${from}`);
    }
    changed = changed.replaceAll(from, to);
  }
  return changed;
}
