// The English words about signing in a command line.

export const commandLineWords = {
  title: 'Sign in a command line',
  asks: (name: string) => `The command line on ${name} asks for an API key of yours.`,
  compare: 'Allow it only if your terminal shows this code:',
  may: 'What it may do',
  scopes: {
    READ: 'Read the catalog',
    WRITE: 'Change what you may change',
    IMPORT: 'Import into sources',
  },
  allow: 'Allow',
  allowed: 'The key is made. Hand it to the command line:',
  send: 'Send it to this computer',
  paste: 'Or paste this into the terminal. Only that command line can open it.',
  copy: 'Copy code',
  keyName: (name: string) => `Command line on ${name}`,
  incomplete: 'This address is incomplete',
  incompleteHow: 'Run headwater login again, and open the address that it shows.',
  unsafe: 'This page needs https. Make a key instead, and give it to headwater login:',
  keys: 'API keys',
};
