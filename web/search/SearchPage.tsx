import { Trans, useLingui } from '@lingui/react/macro';
import { useTitle } from '#web/ui/use-title.ts';
import { VideosSkeleton } from '#web/video/list/Videos.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { AllResults } from './AllResults.tsx';
import { SearchFilters } from './SearchFilters.tsx';
import { useSearch } from './use-search.ts';
import styles from './SearchPage.module.css';

const SearchHelp = lazyComponent(async () => (await import('./SearchHelp.tsx')).SearchHelp);
const SimilarMoments = lazyComponent(async () => (await import('./SimilarMoments.tsx')).SimilarMoments);
const TypeResults = lazyComponent(async () => (await import('./TypeResults.tsx')).TypeResults);

/** Search page with videos and their moments, channels and playlists, or with the moments similar to one. */
export function SearchPage() {
  const { t } = useLingui();
  const search = useSearch();
  const isBlank = search.query.trim() === '';
  const like = isBlank ? search.search.get('like') : null;
  useTitle(search.query ? t`${search.query} – Search` : like ? t`Similar moments` : t`Search`);
  return (
    <div className={styles.page}>
      <h1 className={isBlank ? '' : 'hidden'}>{like ? <Trans>Similar moments</Trans> : <Trans>Search</Trans>}</h1>
      {like ? (
        <SimilarMoments video={like} search={search} fallback={<VideosSkeleton view="list" count={4} />} />
      ) : isBlank ? (
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
