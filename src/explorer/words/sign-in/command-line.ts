// The English words about signing in a command line.

export const commandLineWords = {
  title: 'Sign in a command line',
  asks: (name: string) => `The command line on ${name} is asking for one of your API keys.`,
  compare: 'Allow this only if your terminal shows this code:',
  may: 'Access',
  scopes: {
    READ: 'Read the catalog',
    WRITE: 'Make the changes you can make',
    IMPORT: 'Import into sources',
  },
  allow: 'Allow',
  allowed: 'Key created. Send it to the command line:',
  send: 'Send to this computer',
  paste: 'Or paste this into the terminal. Only that command line can open it.',
  copy: 'Copy code',
  keyName: (name: string) => `Command line on ${name}`,
  incomplete: 'This address is incomplete',
  incompleteHow: 'Run headwater login again, and open the address it prints.',
  unsafe: 'This page needs HTTPS. Create a key instead, and pass it to headwater login:',
  keys: 'API keys',
};
