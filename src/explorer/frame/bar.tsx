// The bar above every page: the search, what can be made, help, news, and who is signed in.

import { Link } from 'wouter';
import { useViewer } from '../asking/viewer.ts';
import { SignOut } from '../key/sign-out.tsx';
import { Avatar } from '../parts/avatar.tsx';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { chooseTheme, themes, useTheme } from '../window/theme.ts';
import { frameWords as words } from '../words/frame.ts';
import { makingsFor } from './places.ts';
import { SearchField } from './search-field.tsx';
import { useRail } from './use-rail.ts';

/** The bar; `showShortcuts` opens what lists them. */
export function Bar({ showShortcuts }: { showShortcuts: () => void }) {
  return (
    <header className="top">
      <Link className="brand" href="/" aria-label="Headwater">
        <img src="/site/logo.svg" alt="" width="26" height="26" />
      </Link>
      <SearchField />
      <New />
      <Help showShortcuts={showShortcuts} />
      <Inbox />
      <Person />
    </header>
  );
}

function New() {
  const makings = makingsFor(useViewer()?.allowedActions ?? []);
  if (makings.length === 0) return null;
  return (
    <Menu
      className="new"
      letter="c"
      says={
        <>
          <Icon kind="plus" />
          {words.new}
          <Icon kind="down" />
        </>
      }
    >
      <div className="pop entries-of">
        {makings.map(({ href, name, icon }) => (
          <Link key={href} href={href}>
            <Icon kind={icon} />
            {name}
          </Link>
        ))}
      </div>
    </Menu>
  );
}

function Help({ showShortcuts }: { showShortcuts: () => void }) {
  return (
    <Menu
      className="help"
      says={
        <>
          <Icon kind="help" />
          <span className="spoken">{words.help}</span>
        </>
      }
    >
      <div className="pop entries-of">
        <a href="/docs">{words.docs}</a>
        <a href="/graphql">{words.graphiql}</a>
        <a href="/api/v1/docs">{words.rest}</a>
        <hr />
        <button type="button" onClick={showShortcuts}>
          {words.shortcuts.title}
          <kbd>?</kbd>
        </button>
      </div>
    </Menu>
  );
}

/** News are on the home page; here one sees that there are some. */
function Inbox() {
  const count = useRail()?.news.totalCount ?? 0;
  return (
    <Link
      className="inbox"
      href="/#news"
      aria-label={words.inbox(count)}
      title={words.inbox(count)}
    >
      <Icon kind="bell" />
      {count > 0 && <i />}
    </Link>
  );
}

/** Who is signed in, what is theirs, and the way out. */
function Person() {
  const viewer = useViewer();
  const theme = useTheme();
  return (
    <Menu
      className="person"
      says={
        <>
          <Avatar name={viewer?.name ?? ''} />
          <span className="spoken">{viewer?.name ?? '…'}</span>
        </>
      }
    >
      <div className="pop entries-of">
        <p className="who">
          <Avatar name={viewer?.name ?? ''} />
          <span>
            <b dir="auto">{viewer?.name}</b>
            <small>
              {viewer?.email} · {viewer && words.roles[viewer.role]} · {viewer?.workspace.name}
            </small>
          </span>
        </p>
        <hr />
        <Link href="/admin?part=profile">
          <Icon kind="person" />
          {words.profile}
        </Link>
        <Link href="/sessions">
          <Icon kind="clock" />
          {words.sessions}
        </Link>
        <fieldset className="theme">
          <legend>{words.theme}</legend>
          {themes.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === theme}
              onClick={() => chooseTheme(one)}
            >
              {words.themes[one]}
            </button>
          ))}
        </fieldset>
        <hr />
        <SignOut />
      </div>
    </Menu>
  );
}
