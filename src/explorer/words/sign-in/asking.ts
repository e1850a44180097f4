// The English words about the server: whether it answers, and whom it knows.

export const askingWords = {
  keyEnded: 'You were signed out. Your key was revoked or has expired.',
  sessionEnded: 'Your session has ended. Sign in again.',
  unreachable: 'Can’t reach the server.',
  empty: 'The server sent an empty answer.',
  answered: (status: number) => `The server answered with status ${status}.`,
};
