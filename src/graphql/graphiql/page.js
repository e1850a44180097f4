// The page around GraphiQL: it shows GraphiQL to people who are signed in, and asks the others for an API key.

import { curlOf } from './curl.js';
import { createFetcher } from './fetcher.js';
import { addTab, forgetLoose, forgetTabs, openTab, seedTabs } from './tabs.js';

// The explorer keeps a key, and says that somebody signed out, under the same names.
const storedKey = 'headwater:api-key';
const signedOut = 'headwater:signed-out';
const { version } = document.querySelector('script[data-version]').dataset;
const keptAfterMs = 600;
const noticeForMs = 2_500;
const $ = (id) => document.getElementById(id);

const viewerQuery = 'query Start { viewer { email role workspace { name } } }';

/** What the examples are about, by the names of their variables: things of this very catalog. */
const subjects = {
  table: '{ found: resources(kinds: [table], order: used, first: 1) { nodes { value: id } } }',
  words: '{ found: resources(kinds: [table], order: used, first: 1) { nodes { value: title } } }',
  integration: '{ found: integrations(type: "custom", first: 1) { nodes { value: id } } }',
};

// A key wins over a session, and a key of this tab over one that all tabs share.
let key = sessionStorage.getItem(storedKey) ?? localStorage.getItem(storedKey) ?? '';
let hasSession = false;
let isShown = false;
const fetcher = createFetcher(() => key, noticeRefusal);

$('key-form').addEventListener('submit', (event) => {
  event.preventDefault();
  void signIn($('key').value.trim());
});
$('show').addEventListener('click', () => showKey($('key').type === 'password'));
$('forget').addEventListener('click', forget);
$('curl').addEventListener('click', () => void copyAsCurl());
$('restore').addEventListener('click', restoreExamples);
// Another tab of the browser may have taken or forgotten a key, or signed out, which ends this tab's key as well.
addEventListener('storage', ({ key: name }) => {
  if (name === signedOut) sessionStorage.removeItem(storedKey);
  if (name === signedOut || name === storedKey) location.reload();
});
addEventListener('hashchange', () => queryOfAddress() && location.reload());

$('key').value = key;
void signIn(key);

/** Try a key, or the session where the key is empty: show GraphiQL if it works, say what is wrong if not. */
async function signIn(candidate) {
  key = candidate;
  $('forget').hidden = !key;
  say(key ? 'Checking the key …' : 'Checking the session …');
  const answer = await fetcher({ query: viewerQuery }).catch(() => null);
  if (answer === null) return refuse('The server cannot be reached.');
  if (!answer.data?.viewer) return isRefusal(answer) ? undefined : refuse(messageOf(answer));
  if (key) keepKey();
  else hasSession = true;
  showKey(false);
  const { email, role, workspace } = answer.data.viewer;
  say(`${email} · ${role} · ${workspace.name}`, 'good');
  if (!isShown) await show();
}

/** Keep the key for all tabs; one that tries another role than that of the session is for this tab alone. */
function keepKey() {
  const isOfTab = hasSession || sessionStorage.getItem(storedKey) !== null;
  (isOfTab ? sessionStorage : localStorage).setItem(storedKey, key);
}

/** GraphiQL, with the examples as tabs for whoever has none yet. */
async function show() {
  isShown = true;
  $('card').hidden = true;
  $('loading').hidden = false;
  const [examples, found] = await Promise.all([
    fetch('/graphiql/examples.json').then((response) => response.json()),
    findSubjects(),
    load(`/graphiql/${version}/graphiql.js`),
  ]);
  seedTabs(examples.map(({ query }) => ({ query, variables: variablesOf(query, found) })));
  openAsked();
  forgetLoose();
  const { query, variables } = openTab();
  $('loading').hidden = true;
  for (const id of ['graphiql', 'curl', 'restore']) $(id).hidden = false;
  globalThis.YogaGraphiQL.renderYogaGraphiQL($('graphiql'), {
    title: ' ',
    logo: ' ',
    fetcher,
    query: query ?? undefined,
    variables: variables ?? undefined,
    // The docs begin with what this schema says of itself.
    schemaDescription: true,
    // The key has a field of its own; headers that people add besides stay with their tab.
    shouldPersistHeaders: false,
    showPersistHeadersSettings: false,
    // Would write each key press into the address, and so into the history of the browser.
    onEditQuery: () => {},
  });
}

/**
 * The query that a link asks to open, `/graphql#query=...`. It is shown, never run by itself, and stands where no
 * server and no log sees it.
 */
function queryOfAddress() {
  return new URLSearchParams(location.hash.slice(1)).get('query');
}

function openAsked() {
  const query = queryOfAddress();
  if (!query) return;
  addTab({ query });
  // It is opened once: the page may be loaded again.
  history.replaceState(null, '', location.pathname + location.search);
}

async function findSubjects() {
  const ids = Object.entries(subjects).map(async ([name, query]) => {
    // Not every role may list everything; what is not found is left to be filled in.
    const { data } = await fetcher({ query });
    return [name, data?.found.nodes[0]?.value ?? ''];
  });
  return Object.fromEntries(await Promise.all(ids));
}

function variablesOf(query, found) {
  const [, name] = /\$(\w+): (?:ID|String)!/.exec(query) ?? [];
  return name && JSON.stringify({ [name]: found[name] }, null, 2);
}

globalThis.MonacoEnvironment = {
  getWorkerUrl(_module, label) {
    const worker = { json: 'json', graphql: 'graphql' }[label] ?? 'editor';
    return `/graphiql/${version}/worker-${worker}.js`;
  },
};

function load(address) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${address} could not be loaded.`));
    document.head.append(script);
  });
}

function isRefusal({ errors = [] }) {
  return errors.some(({ extensions }) => extensions?.code === 'UNAUTHENTICATED');
}

function noticeRefusal(answer) {
  if (!isRefusal(answer)) return;
  const message = messageOf(answer);
  if (key) refuse('The server refuses this key: it is wrong, expired or was revoked.');
  else if (message.startsWith('Send a valid API key')) refuse('Not signed in', '');
  else refuse(message);
}

function messageOf({ errors }) {
  return errors?.[0]?.message ?? 'The server gave no answer.';
}

function refuse(message, mood = 'bad') {
  say(message, mood);
  if (!isShown) ask();
}

function ask() {
  $('card').hidden = false;
  $('key').focus();
}

function forget() {
  sessionStorage.removeItem(storedKey);
  localStorage.removeItem(storedKey);
  location.reload();
}

function restoreExamples() {
  forgetTabs();
  location.reload();
}

/** Put the open tab into the clipboard, as a command for a terminal. */
async function copyAsCurl() {
  // GraphiQL keeps what is typed half a second later.
  await new Promise((resolve) => setTimeout(resolve, keptAfterMs));
  const tab = openTab();
  if (!tab?.query) return showNotice('There is nothing to copy.');
  try {
    await copy(curlOf(location.origin, tab));
    showNotice('Copied: set KEY');
  } catch (error) {
    showNotice(
      error instanceof SyntaxError ? 'The variables are no JSON.' : 'The browser refused.',
    );
  }
}

async function copy(text) {
  // Only pages of https and of this machine are given the clipboard.
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.body.appendChild(document.createElement('textarea'));
  field.value = text;
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (!isCopied) throw new Error('There is no clipboard.');
}

/** Say something on the button for a moment. */
function showNotice(text) {
  $('curl').textContent = text;
  setTimeout(() => {
    $('curl').textContent = 'Copy as curl';
  }, noticeForMs);
}

function showKey(visible) {
  $('key').type = visible ? 'text' : 'password';
  $('show').textContent = visible ? 'Hide' : 'Show';
  $('show').setAttribute('aria-pressed', String(visible));
}

function say(text, mood = '') {
  $('state').textContent = text;
  $('state').dataset.mood = mood;
}
