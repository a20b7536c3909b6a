import { useLingui } from '@lingui/react/macro';
import { IconChevronRight, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { NavLink, useLocation } from 'react-router';
import { useIsStaff } from '#web/api/account.ts';
import { useHasNodes } from '#web/api/queries/node.ts';
import { useScrollIntoView } from '#web/ui/use-scroll-into-view.ts';
import { groupsFor, pathOfSettings } from '#web/settings-pages/settings-pages.ts';
import styles from './SettingsNavigation.module.css';

const loadSearch = () => import('./SettingsSearch.tsx');

/** Navigation of the settings. `isIndex`: as the page of a phone. */
export function SettingsNavigation({ isIndex = false }: { isIndex?: boolean }) {
  const { t } = useLingui();
  const viewer = { isStaff: useIsStaff(), hasNodes: useHasNodes() };
  const [text, setText] = useState('');
  const [search, setSearch] = useState<Awaited<ReturnType<typeof loadSearch>>>();
  const { pathname } = useLocation();
  const nav = useScrollIntoView<HTMLElement>('[aria-current=page]', `${pathname} ${viewer.hasNodes}`);
  const Heading = isIndex ? 'h1' : 'h2';
  const link = (to: string, name: string, className = styles.link) => (
    <NavLink to={to} end className={className} preventScrollReset={false}>
      {name}
      <IconChevronRight aria-hidden />
    </NavLink>
  );
  return (
    <nav ref={nav} className={isIndex ? styles.index : undefined} aria-label={t`Settings`}>
      <Heading className={styles.title}>{t`Settings`}</Heading>
      {search ? (
        <search.SettingsSearch text={text} onText={setText} viewer={viewer} />
      ) : (
        <div className={styles.search}>
          <IconSearch aria-hidden />
          <input
            className={styles.input}
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={false}
            aria-label={t`Search settings`}
            placeholder={t`Search`}
            value={text}
            onFocus={() => void loadSearch().catch(() => undefined)}
            // The search takes the place of this field, and its focus.
            onChange={({ target }) => {
              setText(target.value);
              loadSearch().then(setSearch, () => undefined);
            }}
          />
        </div>
      )}
      {text.trim() === '' && (
        <div className={styles.groups}>
          <ul>
            <li>{link(isIndex ? '/settings/#dashboard' : '/settings/', t`Dashboard`)}</li>
            {isIndex && viewer.isStaff && <li>{link('/trash/', t`Trash`)}</li>}
          </ul>
          {groupsFor(viewer).map(({ name, pages }) => (
            <section key={name.id} aria-label={t(name)}>
              <h3>{t(name)}</h3>
              <ul>
                {pages.map((page) => (
                  <li key={page.path}>{link(pathOfSettings(page.path), t(page.name))}</li>
                ))}
              </ul>
            </section>
          ))}
          {isIndex && (
            <ul>
              <li>{link('/about/', t`About`)}</li>
            </ul>
          )}
        </div>
      )}
    </nav>
  );
}
