// The Accept header.

/** Other names of a coding. */
const aliases: Readonly<Record<string, string>> = { gzip: 'x-gzip' };

/**
 * Whether an `Accept-Encoding` header takes a coding (RFC 9110, section 12.5.3): named, or by `*`, and not with a weight
 * of 0.
 */
export function takesCoding(
  header: string | readonly string[] | undefined,
  coding: 'gzip' | 'br',
): boolean {
  const taken = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((word) => word.trim()));
  const named = (name: string | undefined) => taken.find(([first]) => first === name);
  const [, ...parameters] = named(coding) ?? named(aliases[coding]) ?? named('*') ?? ['', 'q=0'];
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return weight === undefined || Number(weight) > 0;
}
