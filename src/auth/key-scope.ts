// The scopes of API keys: what a key may do of what its user may.

/** Scopes, by what each lets a key do. */
export const apiKeyScopes = {
  READ: 'Read whatever the user may read.',
  WRITE: 'Read and change whatever the user may, but for what needs ADMIN.',
  IMPORT: 'Send what an integration imports, and follow that job.',
  REPORT: 'Send reports of what runs, and read nothing.',
  ADMIN: 'Everything that the user may.',
} as const;

/** What a key may do of what its user may. */
export type ApiKeyScope = keyof typeof apiKeyScopes;

/** What somebody's key may do at most; everything where it says nothing, as of a session. */
export interface Scoped {
  readonly scopes?: readonly ApiKeyScope[];
  /** The only integration that scope IMPORT is for; any where there is none. */
  readonly importsInto?: string;
}

/** Whether a string is a scope. */
export function isApiKeyScope(value: string): value is ApiKeyScope {
  return Object.hasOwn(apiKeyScopes, value);
}

/** Whether a scope is one of the viewer's, or part of one: ADMIN has them all, WRITE has READ. */
export function hasScope({ scopes }: Scoped, scope: ApiKeyScope): boolean {
  if (scopes === undefined || scopes.includes(scope) || scopes.includes('ADMIN')) return true;
  return scope === 'READ' && scopes.includes('WRITE');
}

/** The only integration that the viewer may know of; null where it may know of all that its role may. */
export function onlyIntegration(viewer: Scoped): string | null {
  return hasScope(viewer, 'READ') ? null : (viewer.importsInto ?? null);
}

/** What is said to a key that lacks a scope. */
export function scopeRefusal({ scopes = [] }: Scoped, needed: ApiKeyScope): string {
  const has = scopes.length === 1 ? `the scope ${scopes[0]}` : `the scopes ${scopes.join(', ')}`;
  return `This needs a key with the scope ${needed}; this key has ${has}.`;
}
