import { Autocomplete } from '@base-ui/react/autocomplete';
import { useLingui } from '@lingui/react/macro';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import styles from './SettingsNavigation.module.css';
import { searchSettings, type SettingsHit } from '#web/settings-pages/search-settings.ts';
import type { SettingsViewer } from '#web/settings-pages/settings-pages.ts';

/** Search of all settings, with the focus. Enter opens the first result. */
export function SettingsSearch({ text, onText, viewer }: { text: string; onText(text: string): void; viewer: SettingsViewer }) {
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
          autoFocus
          className={styles.input}
          aria-label={t`Search settings`}
          placeholder={t`Search`}
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
