// Runs the page: takes the API key, remembers it, and shows GraphiQL once a key works.

import { createFetcher } from './fetcher.js';

const storedKey = 'headwater:api-key';
const { version } = document.querySelector('script[data-version]').dataset;
const $ = (id) => document.getElementById(id);

const viewerQuery = 'query Start { viewer { email role workspace { name } } }';

/** What the examples are about, by the names of their variables: things of this very catalog. */
const subjects = {
  table: '{ found: resources(kinds: [table], order: used, first: 1) { nodes { id } } }',
  integration: '{ found: integrations(type: "custom", first: 1) { nodes { id } } }',
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
$('restore').addEventListener('click', restoreExamples);
// Another tab of the browser may have taken or forgotten a key.
addEventListener('storage', ({ key: name }) => name === storedKey && location.reload());

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
    fetch('/explorer/examples.json').then((response) => response.json()),
    findSubjects(),
    load(`/explorer/${version}/graphiql.js`),
  ]);
  const tabs = examples.map(({ query }) => ({ query, variables: variablesOf(query, found) }));
  const { query, variables } = rememberedTab() ?? tabs[0];
  $('loading').hidden = true;
  $('graphiql').hidden = false;
  $('restore').hidden = false;
  globalThis.YogaGraphiQL.renderYogaGraphiQL($('graphiql'), {
    title: ' ',
    logo: ' ',
    fetcher,
    defaultTabs: tabs,
    query: query ?? undefined,
    variables: variables ?? undefined,
    // The key has a field of its own; headers that people add besides stay with their tab.
    shouldPersistHeaders: false,
    showPersistHeadersSettings: false,
    // Would write each key press into the address, and so into the history of the browser.
    onEditQuery: () => {},
  });
}

/**
 * The tab that was open last, or undefined where none is remembered. GraphiQL finds the open tab by what
 * stands in it, and opens an empty one beside the others unless it is told.
 */
function rememberedTab() {
  for (const name of ['query', 'variables', 'headers']) localStorage.removeItem(`graphiql:${name}`);
  try {
    const { tabs, activeTabIndex } = JSON.parse(localStorage.getItem('graphiql:tabState'));
    return tabs[activeTabIndex];
  } catch {
    return undefined;
  }
}

async function findSubjects() {
  const ids = Object.entries(subjects).map(async ([name, query]) => {
    // Not every role may list everything; what is not found is left to be filled in.
    const { data } = await fetcher({ query });
    return [name, data?.found.nodes[0]?.id ?? ''];
  });
  return Object.fromEntries(await Promise.all(ids));
}

function variablesOf(query, found) {
  const [, name] = /\$(\w+): ID!/.exec(query) ?? [];
  return name && JSON.stringify({ [name]: found[name] }, null, 2);
}

globalThis.MonacoEnvironment = {
  getWorkerUrl(_module, label) {
    const worker = { json: 'json', graphql: 'graphql' }[label] ?? 'editor';
    return `/explorer/${version}/worker-${worker}.js`;
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
  for (const name of ['tabState', 'query', 'variables', 'headers', 'operationName']) {
    localStorage.removeItem(`graphiql:${name}`);
  }
  // GraphiQL writes its tabs a moment after each change, which must not bring them back.
  addEventListener('pagehide', () => localStorage.removeItem('graphiql:tabState'));
  location.reload();
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
