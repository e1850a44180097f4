// What this process may reach: which hosts, and below which folder files.

import { lookup } from 'node:dns/promises';
import { realpath } from 'node:fs/promises';
import { isIP } from 'node:net';
import { resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { invalid, unavailable } from '../errors.ts';
import { mayConnect, type PrivateHosts, standingOf } from './address.ts';

/** What the operator allows. */
export interface NetworkReach {
  /** Private ranges that may be connected to. */
  readonly privateHosts: PrivateHosts;
  /** File databases are opened below this folder only; null where none may be. */
  readonly filesDir: string | null;
  /** How the addresses of a name are found; the system is asked where it is absent. */
  readonly lookup?: (name: string) => Promise<string[]>;
}

/** A host that was looked up: anyone who connects, connects to this address and looks up nothing. */
export interface Host {
  /** The name as it was given, for certificates and headers. */
  readonly name: string;
  readonly address: string;
}

const lookupTimeoutMs = 5_000;

/**
 * Look a host up, once, and check each of its addresses: a name that leads to a forbidden place besides
 * an allowed one is refused as a whole. IPv4 comes first, which more networks reach. Throws
 * BAD_REQUEST for what may not be connected to, and UNAVAILABLE for a name that leads nowhere.
 */
export async function findHost(given: string, reach: NetworkReach): Promise<Host> {
  const { name, addresses, refused } = await lookUp(given, reach);
  if (refused !== undefined) throw refusal(name, refused);
  const address = addresses.find((one) => isIP(one) === 4) ?? addresses[0];
  if (address === undefined) throw unavailable(`The host ${name} has no address.`);
  return { name, address };
}

/** Why a host may not be connected to; null where it may. */
export interface Obstacle {
  readonly message: string;
  /** The setting with which the operator of this server allows it; null where none does. */
  readonly setting: string | null;
}

/** What keeps this process from a host, as far as that is known before connecting. Throws UNAVAILABLE for a name that leads nowhere. */
export async function obstacleTo(given: string, reach: NetworkReach): Promise<Obstacle | null> {
  const { name, refused } = await lookUp(given, reach);
  if (refused === undefined) return null;
  const { message } = refusal(name, refused);
  return { message, setting: standingOf(refused) === 'private' ? settingFor(refused) : null };
}

async function lookUp(given: string, { privateHosts, lookup: find = addressesOf }: NetworkReach) {
  const name = given.replace(/^\[(.*)\]$/, '$1');
  const addresses = isIP(name) === 0 ? await find(name) : [name];
  const refused = addresses.find((address) => !mayConnect(address, privateHosts));
  return { name, addresses, refused };
}

/** The line that allows one private address. */
function settingFor(address: string): string {
  return `ALLOW_PRIVATE_HOSTS=${address}/${isIP(address) === 4 ? 32 : 128}`;
}

async function addressesOf(name: string): Promise<string[]> {
  const waiting = new AbortController();
  const late = sleep(lookupTimeoutMs, null, { signal: waiting.signal }).catch(() => null);
  try {
    const found = await Promise.race([lookup(name, { all: true, verbatim: true }), late]);
    if (found) return found.map(({ address }) => address);
    throw unavailable(`Timed out looking up the host ${shown(name)}. Try again.`);
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) {
      throw unavailable(`Host not found: ${shown(name)}. Check its spelling.`);
    }
    throw error;
  } finally {
    waiting.abort();
  }
}

function refusal(name: string, address: string): Error {
  const host = name === address ? address : `${shown(name)} (${address})`;
  if (standingOf(address) === 'private') {
    return invalid(
      `The host ${host} is in a private network. The operator of this server allows it with ${settingFor(address)}.`,
    );
  }
  return invalid(`Connections to ${host} are not allowed.`);
}

function shown(name: string): string {
  return name.slice(0, 255);
}

/**
 * The real path of a file below the allowed folder, links followed. Throws BAD_REQUEST for any other:
 * whether there is a file outside of the folder is not said.
 */
export async function findFile(path: string, { filesDir }: NetworkReach): Promise<string> {
  if (filesDir === null) {
    throw invalid(
      'File databases are off: the operator of this server allows them with FILES_DIR.',
    );
  }
  const folder = await realpath(filesDir).catch(() => null);
  const inside = folder === null ? null : await realpath(resolve(folder, path)).catch(() => null);
  if (folder === null || inside === null || !inside.startsWith(folder + sep)) {
    throw invalid(
      `There is no file ${JSON.stringify(path.slice(0, 200))} in the folder of FILES_DIR.`,
    );
  }
  return inside;
}
