// The Accept header.

/** Whether an `Accept-Encoding` header takes gzip (RFC 9110, section 12.5.3): named, or by `*`, and not with a weight of 0. */
export function takesGzip(header: string | readonly string[] | undefined): boolean {
  const codings = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((word) => word.trim()));
  const named = (name: string) => codings.find(([coding]) => coding === name);
  const [, ...parameters] = named('gzip') ?? named('x-gzip') ?? named('*') ?? ['', 'q=0'];
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return weight === undefined || Number(weight) > 0;
}
