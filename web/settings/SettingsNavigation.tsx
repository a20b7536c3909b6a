import { Autocomplete } from '@base-ui/react/autocomplete';
import { useLingui } from '@lingui/react/macro';
import { IconChevronRight, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { NavLink, useLocation, useNavigate } from 'react-router';
import { useIsStaff } from '#web/api/account.ts';
import { useHasNodes } from '#web/api/queries/node.ts';
import { useScrollIntoView } from '#web/ui/use-scroll-into-view.ts';
import { searchSettings, type SettingsHit } from './search/search-settings.ts';
import { groupsFor, pathOfSettings, type SettingsViewer } from './search/settings-pages.ts';
import styles from './SettingsNavigation.module.css';

/** Search of all settings. Enter opens the first result. */
function SettingsSearch({ text, onText, viewer }: { text: string; onText(text: string): void; viewer: SettingsViewer }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const hits = searchSettings(text, viewer);
  const open = ({ to }: SettingsHit) => {
    onText('');
    void navigate(to);
  };
  return (
    <Autocomplete.Root
      inline
      open
      items={hits}
      filter={null}
      value={text}
      onValueChange={onText}
      itemToStringValue={(hit: SettingsHit) => hit.label}
      autoHighlight="always"
      keepHighlight
    >
      <div className={styles.search}>
        <IconSearch aria-hidden />
        <Autocomplete.Input
          className={styles.input}
          aria-label={t`Search settings`}
          placeholder={t`Search settings`}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onText('');
          }}
        />
      </div>
      {text.trim() !== '' && hits.length === 0 && <p className={styles.empty}>{t`No setting found.`}</p>}
      <Autocomplete.List className={styles.hits}>
        {(hit: SettingsHit) => (
          <Autocomplete.Item key={hit.to} value={hit} className={styles.hit} onClick={() => open(hit)}>
            <span>{hit.label}</span>
            {hit.page !== hit.label && <small>{hit.page}</small>}
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}

/** Navigation of the settings. `isIndex`: as the page of a phone. */
export function SettingsNavigation({ isIndex = false }: { isIndex?: boolean }) {
  const { t } = useLingui();
  const viewer = { isStaff: useIsStaff(), hasNodes: useHasNodes() };
  const [text, setText] = useState('');
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
      <SettingsSearch text={text} onText={setText} viewer={viewer} />
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
