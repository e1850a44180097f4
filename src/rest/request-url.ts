// Addresses: which path a request means, and which origin its links have.

/** The path that REST is below. */
export const base = '/api/v1';

/** What a request's own address is, as far as its links and routes need to know. */
export interface Address {
  /** The path without a last slash, and without a whole URL in front of it. */
  readonly path: string;
  /** The request's URL on the origin that the client sees, with that path. */
  readonly url: URL;
}

/** What the operator says of the origin that clients see. */
export interface SeenOrigin {
  /** The origin itself, whatever a request says; null where it is not set. */
  readonly publicUrl: string | null;
  /** Whether a proxy of ours writes `X-Forwarded-Proto` and `X-Forwarded-Host`. */
  readonly trustsProxy: boolean;
}

/** Read the address of a request below `base`. */
export function readAddress(
  request: Request,
  base: string,
  { publicUrl, trustsProxy }: SeenOrigin,
): Address {
  const url = new URL(request.url);
  const own = url.host;
  if (publicUrl !== null) {
    const { protocol, host } = new URL(publicUrl);
    Object.assign(url, { protocol, port: '', host });
  } else if (trustsProxy) forward(url, request.headers);
  const inner = pastedPath(url.pathname, base, [own, url.host]);
  url.pathname = withoutSlash(inner ?? url.pathname);
  return { path: url.pathname, url };
}

/**
 * The path inside of a path that repeats a whole URL after the base, because a client has put its
 * base URL in front of `links.next`. Undefined where there is none, or it is of another host.
 */
function pastedPath(path: string, base: string, hosts: readonly string[]): string | undefined {
  if (!path.startsWith(`${base}/http`)) return undefined;
  // Some proxies make one slash of two.
  const pasted = /^https?:\/{1,2}([^/]+)(\/.*)$/i.exec(path.slice(base.length + 1));
  const [, host, inner] = pasted ?? [];
  if (!host || !inner?.startsWith(`${base}/`)) return undefined;
  return hosts.includes(host.toLowerCase()) ? inner : undefined;
}

function forward(url: URL, headers: Headers): void {
  const [protocol] = (headers.get('x-forwarded-proto') ?? '').split(',');
  const [host] = (headers.get('x-forwarded-host') ?? '').split(',');
  if (protocol && /^https?$/.test(protocol.trim())) url.protocol = protocol.trim();
  if (!host || !/^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i.test(host.trim())) return;
  // Setting a host without a port would keep the port that the proxy reached us by.
  url.port = '';
  url.host = host.trim();
}

/** Looked for from the end: a pattern would try each of ten thousand slashes that come before something else. */
function withoutSlash(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
