// In charge of the search of the documentation: the box, what it finds, and the keys for both.

const index = '/docs/search.json';
const mostShown = 20;
/** Letters of a section that are shown around what was found. */
const excerpt = 120;

const box = document.querySelector('#search');
const list = document.querySelector('#found');
const count = document.querySelector('#found-count');

/** Every section, once it was asked for. */
let sections = null;

box.closest('search').hidden = false;
box.addEventListener('focus', () => void load());
box.addEventListener('input', () => void search());
document.addEventListener('keydown', onKey);

async function load() {
  sections ??= fetch(index)
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(answer.statusText))))
    .then((all) => all.map(asSearched));
  try {
    return await sections;
  } catch {
    sections = null;
    return null;
  }
}

function asSearched(section) {
  const heading = section.heading.toLowerCase();
  return { ...section, heading, title: section.heading, all: lower(section) };
}

function lower({ page, heading, text }) {
  return `${page} ${heading} ${text}`.toLowerCase();
}

async function search() {
  const asked = box.value.trim().toLowerCase();
  if (asked === '') return show([], '');
  const all = await load();
  // Whoever goes on typing waits for no older answer.
  if (asked !== box.value.trim().toLowerCase()) return;
  if (all === null) return show([], 'The search cannot be loaded; try again.');
  const words = asked.split(/\s+/);
  const found = all
    .filter((section) => words.every((word) => section.all.includes(word)))
    .map((section) => ({ section, score: scoreOf(section, words, asked) }))
    .sort((one, other) => other.score - one.score);
  const many = found.length > mostShown ? `, of which ${mostShown} are shown` : '';
  const sum = found.length === 1 ? '1 section' : `${found.length} sections`;
  const shown = found.slice(0, mostShown).map(({ section }) => section);
  show(shown, found.length === 0 ? 'Nothing found.' : `${sum} found${many}.`, words);
}

/** Headings count most, then titles of pages; the same words in a row more than apart. */
function scoreOf({ heading, page, text, all }, words, asked) {
  let score = all.includes(asked) ? 4 : 0;
  if (heading === asked) score += 32;
  for (const word of words) {
    if (heading.includes(word)) score += 8;
    if (page.toLowerCase().includes(word)) score += 4;
    if (text.toLowerCase().includes(word)) score += 1;
  }
  return score;
}

function show(found, message, words = []) {
  count.textContent = message;
  list.replaceChildren(...found.map((section) => itemOf(section, words)));
}

function itemOf({ page, title, at, text }, words) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = at;
  link.textContent = title === page ? page : `${page}: ${title}`;
  const said = document.createElement('p');
  said.append(...marked(excerptOf(text, words), words));
  item.append(link, said);
  return item;
}

function excerptOf(text, words) {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const first = places.length > 0 ? Math.min(...places) : 0;
  const from = Math.max(0, text.lastIndexOf(' ', Math.max(0, first - excerpt / 3)));
  const cut = text.slice(from, from + excerpt);
  return `${from > 0 ? '…' : ''}${cut}${from + excerpt < text.length ? '…' : ''}`;
}

/** A text with its words marked, as nodes: what stands in it is never read as HTML. */
function marked(text, words) {
  const pattern = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return text.split(new RegExp(`(${pattern})`, 'i')).map((part, at) => {
    if (at % 2 === 0) return part;
    const mark = document.createElement('mark');
    mark.textContent = part;
    return mark;
  });
}

/** `/` goes to the box, the arrows through what was found, Escape back to the page. */
function onKey(event) {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (key === '/' && target !== box) return take(event, box);
  if (key === 'Escape' && target.closest?.('search')) {
    box.value = '';
    show([], '');
    document.activeElement.blur();
    return;
  }
  const links = [...list.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  if (target !== box && at < 0) return;
  if (key === 'ArrowDown' && links[at + 1]) take(event, links[at + 1]);
  if (key === 'ArrowUp' && at >= 0) take(event, links[at - 1] ?? box);
  if (key === 'Enter' && target === box && links[0]) links[0].click();
}

function take(event, element) {
  event.preventDefault();
  element.focus();
}
