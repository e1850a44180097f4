// Says where the databases lie that an integration names.

import { type ExpectedVersion, mustBeAtVersion } from '../../audit/version.ts';
import { mustBeAllowed } from '../../auth/permission.ts';
import type { Context, ServerContext } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { invalidField } from '../../errors.ts';
import { type Integration, Prisma } from '../../generated/prisma/client.ts';
import { beginHere } from '../../jobs/here.ts';
import { foldName, ownAddress } from '../../resources/identities/named-place.ts';
import { checkText } from '../../text/text.ts';
import { runImport } from '../imports/import.ts';
import type { ImportCounts, ImportReport } from '../imports/options.ts';
import { getIntegration } from '../integration.ts';
import { importJob, syncKey } from '../sync-key.ts';
import { lastSaid } from './last-said.ts';
import { type AddressInput, parseAddress } from './said-address.ts';

const most = 1_000;

/**
 * Say where the databases lie that an integration names, in place of what was said before; admins may. What it described last is
 * brought in line at once: what turns out to be one is merged, and what is not is parted. What a database becomes that tables do not name shows
 * with the next upload. Throws NOT_FOUND, BAD_REQUEST, and CONFLICT while something is imported into it.
 */
export async function setIntegrationAddresses(
  ctx: ServerContext,
  id: string,
  given: readonly AddressInput[],
  dryRun = false,
): Promise<ImportReport> {
  mustBeAllowed(ctx, 'manage integrations');
  const integration = await getIntegration(ctx, id);
  const said = checked(given);
  await mustBeThere(ctx, said);
  let changes: ImportReport['changes'] = [];
  const { done } = await beginHere<ServerContext, ImportCounts>(
    ctx,
    {
      kind: importJob,
      title: `${dryRun ? 'Dry run of the addresses' : 'Addresses'} of ${integration.name}`,
      dedupeKey: syncKey(integration.id),
      busy: 'A sync of this integration is in progress.',
      ifLost: 'The server stopped before this had ended; nothing was changed. Say it again.',
    },
    (run) =>
      runImport(run.ctx, {
        integration,
        extraction: lastSaid(run.ctx, integration.id),
        ...{ file: integration.name, title: 'Addresses', origin: 'IMPORT', said, dryRun },
        covers: { resources: true, lineage: false, tests: false },
        readDeclarations: null,
        stale: 'nothing',
        force: true,
        isProject: integration.type === 'dbt_core',
        onChanges: (found) => {
          changes = found;
        },
        watch: {
          log: run.log,
          progress: run.progress,
          finish: (tx, result) => run.complete(tx, result),
        },
      }),
  );
  return { ...(await done), changes };
}

/**
 * The same as a change of the integration, which it answers: what is said along with it is refused, since the one could
 * be done and the other not.
 */
export async function changeAddresses(
  ctx: ServerContext,
  id: string,
  given: readonly AddressInput[],
  others: Readonly<Record<string, unknown>>,
  expectedVersion?: ExpectedVersion,
): Promise<Integration> {
  const [other] = Object.entries(others).filter(([, value]) => value !== undefined);
  if (other) throw invalidField('addresses', `Change ${other[0]} in another request.`);
  await mustBeAtVersion(ctx, await getIntegration(ctx, id), expectedVersion);
  await setIntegrationAddresses(ctx, id, given);
  return getIntegration(ctx, id);
}

function checked(given: readonly AddressInput[]): AddressInput[] {
  if (given.length > most) throw invalidField('addresses', `Say at most ${most} of them.`);
  const seen = new Set<string>();
  return given.map(({ database, address, becomes }, at) => {
    const field = `addresses.${at}`;
    const name = foldName(checkText(`${field}.database`, database ?? '').trim());
    const where = parseAddress(`${field}.address`, address);
    if (seen.has(name)) throw invalidField(`${field}.database`, 'This database is said twice.');
    seen.add(name);
    if (name !== '' && becomes) {
      throw invalidField(`${field}.becomes`, 'Only tables that name no database get one.');
    }
    return { database: name, address: where, becomes: becomes?.trim() || null };
  });
}

/** Throw BAD_REQUEST where an address is that of an integration which is not there. */
async function mustBeThere(ctx: Context, said: readonly AddressInput[]): Promise<void> {
  const found = await rows<{ own: string }>(
    ctx,
    Prisma.sql`select 'integration:' || i.id as own from integration i
      where i.workspace_id = ${ctx.workspaceId}::uuid
        and 'integration:' || i.id = any(${said.map(({ address }) => address)}::text[])`,
  );
  const known = new Set(found.map(({ own }) => own));
  const unknown = said.findIndex(
    ({ address }) => address.startsWith(ownAddress('')) && !known.has(address),
  );
  if (unknown < 0) return;
  throw invalidField(`addresses.${unknown}.address`, 'There is no such integration.');
}
