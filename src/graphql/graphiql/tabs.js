// Keeps GraphiQL's tabs as GraphiQL does: in the storage of the browser, where it finds them when it starts.

const name = (key) => `graphiql:${key}`;

/** The tab that is open, or undefined where none is remembered. */
export function openTab() {
  try {
    const { tabs, activeTabIndex } = JSON.parse(localStorage.getItem(name('tabState')));
    return tabs[activeTabIndex];
  } catch {
    return undefined;
  }
}

/**
 * Give who has no tabs yet those of some examples. GraphiQL starts with them: where it is given them as
 * defaults, it moves them into place while it is shown, and loses the clicks on them.
 */
export function seedTabs(examples) {
  if (openTab()) return;
  keep({ tabs: examples.map(tabOf), activeTabIndex: 0 });
}

/** Open another tab behind those that there are. */
export function addTab(given) {
  const { tabs } = JSON.parse(localStorage.getItem(name('tabState')));
  keep({ tabs: [...tabs, tabOf(given)], activeTabIndex: tabs.length });
}

function keep(state) {
  localStorage.setItem(name('tabState'), JSON.stringify(state));
}

function tabOf({ query, variables = null }) {
  return {
    id: crypto.getRandomValues(new Uint32Array(2)).join('-'),
    title: /^\w+ (\w+)/m.exec(query.replaceAll(/^#.*$/gm, ''))?.[1] ?? 'Untitled',
    query,
    variables,
    headers: null,
    operationName: null,
    response: null,
  };
}

/** Forget all tabs. GraphiQL writes them a moment after each change, which must not bring them back. */
export function forgetTabs() {
  const forget = () => localStorage.removeItem(name('tabState'));
  forget();
  addEventListener('pagehide', forget);
}

/** GraphiQL finds the open tab by what stands in it, and opens another beside it for what stood elsewhere. */
export function forgetLoose() {
  for (const key of ['query', 'variables', 'headers', 'operationName']) {
    localStorage.removeItem(name(key));
  }
}
