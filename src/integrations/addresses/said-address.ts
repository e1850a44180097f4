// What people say of where a database lies.

/** Where a database lies. */
export interface AddressInput {
  /** The database; `*` for all that are not named one by one, null for tables that name none. */
  readonly database?: string | null | undefined;
  readonly address: string;
  /** The database in which tables lie that name none. */
  readonly becomes?: string | null | undefined;
}
