// The English words about where somebody is signed in.

const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** A browser as people call it, of what it says of itself. */
export function browserOf(userAgent: string): string {
  const named = (list: typeof browsers) => list.find(([sign]) => sign.test(userAgent))?.[1];
  const browser = named(browsers);
  const system = named(systems);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? (userAgent === '' ? 'Unknown browser' : userAgent.slice(0, 60));
}

/** How somebody signed in. */
export function methodName(method: string): string {
  return method === 'link' ? 'by a link' : `by ${method}`;
}

export const sessionWords = {
  title: 'Sessions',
  hint: 'Active browser sessions. API keys are not affected.',
  whose: 'Person',
  me: 'Me',
  of: (name: string) => `Sessions of ${name}`,
  notFound: 'Person not found',
  none: 'No active sessions. API keys don’t create sessions.',
  here: 'this browser',
  since: 'signed in',
  used: 'last used',
  ends: 'expires',
  end: 'End session',
  endAll: 'Sign out everywhere',
  endAllMeans: 'This ends all of these sessions now, in all browsers.',
};
