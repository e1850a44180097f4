// The bar at the foot of a phone: four places, and all others behind the fifth.

import { Link, useLocation } from 'wouter';
import { useViewer } from '../asking/viewer.ts';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { frameWords as words } from '../words/frame.ts';
import { isAt, placesFor } from './places.ts';
import { Count } from './rail.tsx';

const first = ['/', '/browse', '/search', '/incidents'];

/** What stands in place of the rail where there is no room for it. */
export function TabBar() {
  const [path] = useLocation();
  const all = placesFor(useViewer()?.allowedActions ?? []);
  const search = { href: '/search', name: words.search, icon: 'search' };
  const shown = first.flatMap((href) => [search, ...all].find((one) => one.href === href) ?? []);
  return (
    <nav className="tab-bar" aria-label={words.main}>
      {shown.map((place) => (
        <Link
          key={place.href}
          href={place.href}
          aria-current={isAt(path, place) ? 'page' : undefined}
        >
          <Icon kind={place.icon} />
          <span>{place.name}</span>
          <Count of={place.icon} />
        </Link>
      ))}
      <Menu
        className="others"
        says={
          <>
            <Icon kind="more" />
            <span>{words.more}</span>
          </>
        }
      >
        <div className="pop entries-of">
          {all
            .filter(({ href }) => !first.includes(href))
            .map((place) => (
              <Link key={place.href} href={place.href}>
                <Icon kind={place.icon} />
                {place.name}
              </Link>
            ))}
        </div>
      </Menu>
    </nav>
  );
}
