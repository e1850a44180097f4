// What browsers are told of every answer: what it may load, where it may be shown, what it is.

/** Pages load nothing but what this server sends, talk to nothing else and show in no frame. */
function policyOf(loads: readonly string[], frames = "'none'"): string {
  return [
    "default-src 'none'",
    ...loads,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frames}`,
  ].join('; ');
}

function policyOfPages(styles: string): string {
  return policyOf([
    "script-src 'self'",
    "worker-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
  ]);
}

/** What goes with every answer but those of health, unless it is a page and says what that needs. */
export const bareHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': policyOf([]),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** What goes with every page of ours. */
export const strictHeaders: Readonly<Record<string, string>> = {
  ...bareHeaders,
  'content-security-policy': policyOfPages("'self'"),
};

/** What goes with a picture for the frames of other pages: it loads nothing, and runs nothing. */
export const framedHeaders: Readonly<Record<string, string>> = {
  ...bareHeaders,
  'content-security-policy': policyOf([], '*'),
};

/** What goes with a page whose program makes styles while it runs. */
export const stylingHeaders: Readonly<Record<string, string>> = {
  ...bareHeaders,
  'content-security-policy': policyOfPages("'self' 'unsafe-inline'"),
};
