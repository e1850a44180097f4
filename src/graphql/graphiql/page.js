// Runs the page: takes the API key, remembers it, and shows GraphiQL once a key works.

import { curlOf } from './curl.js';
import { createFetcher } from './fetcher.js';
import { addTab, forgetLoose, forgetTabs, openTab, seedTabs } from './tabs.js';

const storedKey = 'headwater:api-key';
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

let key = localStorage.getItem(storedKey) ?? '';
let isShown = false;
const fetcher = createFetcher(() => key, noticeRefusal);

$('key-form').addEventListener('submit', (event) => {
  event.preventDefault();
  void use($('key').value.trim());
});
$('show').addEventListener('click', () => showKey($('key').type === 'password'));
$('forget').addEventListener('click', forget);
$('curl').addEventListener('click', () => void copyAsCurl());
$('restore').addEventListener('click', restoreExamples);
// Another tab of the browser may have taken or forgotten a key.
addEventListener('storage', ({ key: name }) => name === storedKey && location.reload());
addEventListener('hashchange', () => queryOfAddress() && location.reload());

$('key').value = key;
if (key) void use(key);
else ask();

/** Try a key: remember it and show GraphiQL if it works, say what is wrong if not. */
async function use(candidate) {
  key = candidate;
  say('Checking the key …');
  const answer = await fetcher({ query: viewerQuery }).catch(() => null);
  if (answer === null) return say('The server cannot be reached.', 'bad');
  if (!answer.data?.viewer) return isRefusal(answer) ? undefined : refuseFor(answer);
  localStorage.setItem(storedKey, key);
  showKey(false);
  $('forget').hidden = false;
  const { email, role, workspace } = answer.data.viewer;
  say(`${email} · ${role} · ${workspace.name}`, 'good');
  if (!isShown) await show();
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
  if (key) say('The server refuses this key: it is wrong, expired or was revoked.', 'bad');
  if (!isShown) ask();
}

function refuseFor({ errors }) {
  say(errors?.[0]?.message ?? 'The server gave no answer.', 'bad');
  if (!isShown) ask();
}

function ask() {
  if (!key) say('No key yet');
  $('card').hidden = false;
  $('key').focus();
}

function forget() {
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
