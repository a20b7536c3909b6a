import { Trans, useLingui } from '@lingui/react/macro';
import { useTitle } from '#web/ui/use-title.ts';
import { VideosSkeleton } from '#web/video/list/Videos.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { AllResults } from './AllResults.tsx';
import { SearchFilters } from './SearchFilters.tsx';
import { useSearch } from './use-search.ts';
import styles from './SearchPage.module.css';

const SearchHelp = lazyComponent(async () => (await import('./SearchHelp.tsx')).SearchHelp);
const TypeResults = lazyComponent(async () => (await import('./TypeResults.tsx')).TypeResults);

/** Search page with videos and their moments, channels and playlists. */
export function SearchPage() {
  const { t } = useLingui();
  const search = useSearch();
  useTitle(search.query ? t`${search.query} – Search` : t`Search`);
  const isBlank = search.query.trim() === '';
  return (
    <div className={styles.page}>
      <h1 className={isBlank ? '' : 'hidden'}>
        <Trans>Search</Trans>
      </h1>
      {isBlank ? (
        <SearchHelp />
      ) : (
        <>
          <SearchFilters search={search} />
          {search.words.type === 'simple' ? (
            <AllResults search={search} />
          ) : (
            <TypeResults search={search} fallback={<VideosSkeleton view="grid" count={6} />} />
          )}
        </>
      )}
    </div>
  );
}
