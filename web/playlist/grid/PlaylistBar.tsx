import { useLingui } from '@lingui/react/macro';
import { useSearchParams } from 'react-router';
import { SourceFilter } from '#web/ui/SourceFilter.tsx';
import { useConfig, useSaveConfig } from '#web/api/account.ts';
import { ViewChoice } from '#web/video/list-view/ViewChoice.tsx';
import styles from './PlaylistBar.module.css';

/** Filter and view of the playlist list, stored in the user's settings. */
export function usePlaylistBar() {
  const config = useConfig();
  const { mutate: save } = useSaveConfig();
  const [, setSearch] = useSearchParams();
  return {
    subscribed: config?.show_subed_only_playlists ?? undefined,
    view: config?.view_style_playlist === 'list' ? ('list' as const) : ('grid' as const),
    setView: (view_style_playlist: 'grid' | 'list' | 'table') => save({ view_style_playlist }),
    setSubscribed(show_subed_only_playlists: boolean | null) {
      save({ show_subed_only_playlists });
      setSearch({}, { replace: true });
    },
  };
}

/** Controls for the filter (all, subscribed, unsubscribed) and the view (grid or list). */
export function PlaylistBar({ bar }: { bar: ReturnType<typeof usePlaylistBar> }) {
  const { t } = useLingui();
  return (
    <div className={styles.bar}>
      <SourceFilter
        label={t`Filter playlists`}
        names={{ all: t`All`, subscribed: t`Subscribed only`, unsubscribed: t`Unsubscribed only` }}
        value={bar.subscribed ?? null}
        onChange={bar.setSubscribed}
      />
      <ViewChoice value={bar.view} onChange={bar.setView} hasTable={false} />
    </div>
  );
}
