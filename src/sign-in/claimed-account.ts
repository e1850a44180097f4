// Accounts of provider sign-ins: found or created, with role and teams.

import { record } from '../audit/audit.ts';
import { changesOfNew } from '../audit/changes.ts';
import { viewerOfUser } from '../auth/account.ts';
import { serverViewer, type Viewer } from '../auth/viewer.ts';
import { type Context, contextAcross, contextFor } from '../context.ts';
import type { Database } from '../database/database.ts';
import { holdName } from '../database/held-name.ts';
import { execute, rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { CatalogError } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { domainOf, folded, foldedAddress, isAddress } from '../people/mail-address.ts';
import { createUser, updateUser } from '../people/user.ts';
import { addTeamMembers, removeTeamMembers } from '../teams/member.ts';
import type { RequestSource } from '../tracing/request.ts';
import { givesRoles, roleOf, teamsOf } from './group-rights.ts';
import type { IdentityClaims } from './provider.ts';
import { type RefusedPerson, SignInRefused } from './refused.ts';
import type { ProviderSettings } from './sign-in-settings.ts';
import { deactivated } from './user-session.ts';

/** Whom to let in, and by whose rules. */
export interface ClaimedSignIn extends RequestSource {
  readonly database: Database;
  readonly settings: ProviderSettings;
  readonly claims: IdentityClaims;
  readonly now: () => Date;
  /** Notified of what the operator should know of. */
  readonly onNotice: (message: string) => void;
  /** Called, in the transaction of it, where a sign-in is linked to an account that was there before. */
  readonly onLinked: OnLinked;
}

/** A sign-in that was linked to an account that was there before. */
export interface LinkedSignIn {
  readonly userId: string;
  /** Address of the account. */
  readonly email: string;
  /** The provider, as people read it. */
  readonly provider: string;
}

/** Notifies the person whose account a provider signs in to from now on. */
export type OnLinked = (tx: Context, linked: LinkedSignIn) => Promise<void>;

interface FoundAccount {
  readonly id: string;
  readonly role: string;
  readonly archived: boolean;
}

/**
 * The account of somebody whom a provider vouches for, with the role and the teams that their groups give
 * as of now. One is made where there is none and the settings allow it. Throws `SignInRefused`.
 */
export async function personOf(signInRoutes: ClaimedSignIn): Promise<Viewer> {
  const { database, settings, claims, requestId, clientAddress, now } = signInRoutes;
  const workspaceId = await workspaceOf(database, settings);
  const person = { workspaceId, userId: null, email: claims.email };
  const email = checkEmail(settings, claims, person);
  const role = roleOf(settings, claims.groups);
  if (role === null) {
    throw new SignInRefused(
      'role',
      `None of the groups that ${settings.name} says you are in may sign in here.`,
      `${email} is in ${claims.groups.slice(0, 20).join(', ') || 'no group'}`,
      person,
    );
  }
  const source = { requestId, clientAddress, credential: 'SIGN_IN' } as const;
  const ctx = contextFor(database, serverViewer(workspaceId), { ...source, now });
  const account = await transaction(ctx, (tx) => findOrMake(tx, signInRoutes, email, role));
  if (givesRoles(settings) && account.role !== role) {
    await giveRole(ctx, account, role, signInRoutes);
  }
  await giveTeams(ctx, account, signInRoutes);
  const viewer = await viewerOfUser(ctx, workspaceId, account.id);
  if (!viewer) throw deactivated({ ...person, userId: account.id });
  return { ...viewer, performer: 'USER' };
}

/** The address, where it may sign in. */
function checkEmail(
  settings: ProviderSettings,
  { email, isVerified }: IdentityClaims,
  person: RefusedPerson,
): string {
  const { name, allowedDomains, trustEmail } = settings;
  if (email === null || !isAddress(email)) {
    throw new SignInRefused(
      'email',
      `${name} does not say what your email address is, by which you are known here.`,
      email === null
        ? 'no claim `email`: add the scope email, or let the provider send it'
        : 'the claim `email` does not look like an address, or has characters that pass for others',
      person,
    );
  }
  if (isVerified === false || (isVerified === null && !trustEmail)) {
    throw new SignInRefused(
      'email',
      `${name} has not verified that ${email} is yours. Verify it there, then sign in again.`,
      isVerified === null ? 'no claim `email_verified`: see trustEmail' : null,
      person,
    );
  }
  const domain = domainOf(email);
  const isAllowed = allowedDomains.some((one) => foldedAddress(one) === foldedAddress(domain));
  if (allowedDomains.length === 0 || isAllowed) return email;
  throw new SignInRefused(
    'domain',
    `${email} can't sign in here: only addresses of ${allowedDomains.slice(0, 5).join(', ')} can.`,
    null,
    person,
  );
}

/** The workspace that a provider is for: the one that it names, else the only one. */
async function workspaceOf(
  database: Database,
  { id, workspace }: ProviderSettings,
): Promise<string> {
  const all = await rows<{ id: string; name: string }>(
    contextAcross(database),
    Prisma.sql`select w.id, w.name from workspace w order by w.created_at, w.id`,
  );
  const fitting = all.filter(
    (one) => workspace === undefined || one.name === workspace || one.id === workspace,
  );
  const [one] = fitting;
  if (one && fitting.length === 1) return one.id;
  throw new SignInRefused(
    'settings',
    'The workspace that you sign in to is not set. Tell your administrator.',
    `${id}: set workspace to the id of one of ${all.map((w) => `${w.name} (${w.id})`).join(', ')}`,
  );
}

/** Of two first sign-ins at once, the second finds what the first made. */
async function findOrMake(
  tx: Context,
  { settings, claims, onLinked }: ClaimedSignIn,
  email: string,
  role: string,
): Promise<FoundAccount> {
  const { issuer, subject, firstName, lastName } = claims;
  const person = { workspaceId: tx.workspaceId, userId: null, email };
  await holdName(tx, `identity ${tx.workspaceId}`);
  const known = await accountWhere(
    tx,
    Prisma.sql`u.id = (select i.user_id from user_identity i
      where i.workspace_id = u.workspace_id and i.issuer = ${issuer} and i.subject = ${subject})`,
  );
  if (known) return mustBeActive(known, person);
  const found = await accountWhere(
    tx,
    Prisma.sql`${folded(Prisma.sql`u.email`)} = ${foldedAddress(email)}`,
  );
  if (found) {
    const { id } = mustBeActive(found, person);
    await mustBeLinkable(tx, { ...person, userId: id }, found.role, settings);
  } else if (!settings.createAccounts) {
    throw new SignInRefused(
      'account',
      `There is no account for ${email} here. An admin of the workspace can make one.`,
      null,
      person,
    );
  }
  const account = found ?? (await createUser(tx, { email, firstName, lastName, role }));
  await execute(
    tx,
    Prisma.sql`insert into user_identity (workspace_id, issuer, subject, user_id)
      values (${tx.workspaceId}::uuid, ${issuer}, ${subject}, ${account.id}::uuid)`,
  );
  await record(tx, {
    activity: 'identity_linked',
    subject: { id: account.id, kind: 'user', title: email },
    changes: changesOfNew({ issuer, subject }),
    says: `Headwater lets ${email} of ${settings.name} sign in to the account of that address from now on`,
  });
  if (found) await onLinked(tx, { userId: found.id, email, provider: settings.name });
  return account;
}

async function accountWhere(tx: Context, condition: Prisma.Sql): Promise<FoundAccount | undefined> {
  const [account] = await rows<FoundAccount>(
    tx,
    Prisma.sql`select u.id, u.role, u.archived from user_account u
      where u.workspace_id = ${tx.workspaceId}::uuid and not u.is_service and ${condition} for update`,
  );
  return account;
}

function mustBeActive(account: FoundAccount, person: RefusedPerson): FoundAccount {
  if (account.archived) throw deactivated({ ...person, userId: account.id });
  return account;
}

/**
 * Whether a provider may have an account that it has not had yet, by its address alone. An address may be given to
 * somebody else, who is not to find the account of the one who had it before; and a provider is trusted with the
 * accounts of its own people, not with those of others.
 */
async function mustBeLinkable(
  tx: Context,
  person: RefusedPerson,
  role: string,
  { issuer, name, linkAccounts }: ProviderSettings,
): Promise<void> {
  const [{ isTheirs, isLinked, hasKeys } = { isTheirs: false, isLinked: false, hasKeys: false }] =
    await rows<{ isTheirs: boolean; isLinked: boolean; hasKeys: boolean }>(
      tx,
      Prisma.sql`select
          exists (select from user_identity i where i.workspace_id = ${tx.workspaceId}::uuid
            and i.user_id = ${person.userId}::uuid and i.issuer = ${issuer}) as "isTheirs",
          exists (select from user_identity i where i.workspace_id = ${tx.workspaceId}::uuid
            and i.user_id = ${person.userId}::uuid) as "isLinked",
          exists (select from api_key k where k.workspace_id = ${tx.workspaceId}::uuid
            and k.user_id = ${person.userId}::uuid and k.revoked_at is null) as "hasKeys"`,
    );
  if (isTheirs) {
    throw new SignInRefused(
      'identity',
      `Your address belongs to an account here that someone else at ${name} signs in to. An admin of the ` +
        'workspace can give that account another address.',
      null,
      person,
    );
  }
  if (linkAccounts === 'any') return;
  const isAdminByKey = role === 'admin' && hasKeys;
  if (linkAccounts === 'unlinked' && !isLinked && !isAdminByKey) return;
  throw new SignInRefused(
    'identity',
    `${name} can't sign in to the account of ${person.email} here. Tell your administrator.`,
    `${isLinked ? 'another provider signs in to it' : isAdminByKey ? 'it is an admin with an API key' : 'linkAccounts is never'}: see linkAccounts`,
    person,
  );
}

async function giveRole(
  ctx: Context,
  { id }: FoundAccount,
  role: string,
  { claims, settings, onNotice }: ClaimedSignIn,
): Promise<void> {
  try {
    await updateUser(ctx, id, { role });
  } catch (error) {
    // The last admin stays one, whatever the groups say: otherwise no one could put it right.
    if (!(error instanceof CatalogError) || error.code !== 'CONFLICT') throw error;
    onNotice(`${settings.id}: ${claims.email} keeps the role of an admin: ${error.message}`);
  }
}

async function giveTeams(
  ctx: Context,
  { id }: FoundAccount,
  { settings, claims, onNotice }: ClaimedSignIn,
): Promise<void> {
  const wanted = teamsOf(settings, claims.groups);
  if (wanted.size === 0) return;
  const found = await rows<{ id: string; name: string; isMember: boolean }>(
    ctx,
    Prisma.sql`select t.id, t.name, t.member_ids @> array[${id}::uuid] as "isMember" from team t
      where t.workspace_id = ${ctx.workspaceId}::uuid and not t.archived
        and t.name = any(${[...wanted.keys()]}::text[])`,
  );
  for (const [name, belongs] of wanted) {
    const team = found.find((one) => one.name === name);
    if (!team) onNotice(`${settings.id}: there is no team ${name}, which teams names.`);
    else if (belongs && !team.isMember) await addTeamMembers(ctx, team.id, [id]);
    else if (!belongs && team.isMember) await removeTeamMembers(ctx, team.id, [id]);
  }
}
