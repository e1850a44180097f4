// Rights of a provider's groups: a role, and teams.

import { roles as allRoles, type Role } from '../auth/viewer.ts';
import type { ProviderSettings } from './sign-in-settings.ts';

type Mapping = Pick<ProviderSettings, 'role' | 'roles' | 'teams'>;

/**
 * The role that somebody's groups give: the most that one of them gives, else the usual one. Null where they
 * give none and there is no usual one: they are not let in.
 */
export function roleOf({ role, roles }: Mapping, groups: readonly string[]): Role | null {
  const given = new Set(groups.flatMap((group) => ownValue(roles, group) ?? []));
  return allRoles.find((one) => given.has(one)) ?? (role === 'none' ? null : role);
}

/** Whether roles follow groups at each sign-in; otherwise admins give them here. */
export function givesRoles({ roles }: Mapping): boolean {
  return Object.keys(roles).length > 0;
}

/** The teams that groups stand for, each with whether somebody of these groups belongs to it. */
export function teamsOf({ teams }: Mapping, groups: readonly string[]): Map<string, boolean> {
  const own = new Set(groups.flatMap((group) => ownValue(teams, group) ?? []));
  return new Map(Object.values(teams).map((team) => [team, own.has(team)]));
}

function ownValue<T>(of: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}
