import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useId, type ReactNode } from 'react';
import { Link } from 'react-router';
import { Button } from '#web/ui/Button.tsx';
import type { SearchReply } from '#web/api/queries/search.ts';
import { correctedQuery, pathOfSearch } from './query-words.ts';
import { rememberSearch } from './recent.ts';
import type { Search } from './use-search.ts';
import styles from './SearchPage.module.css';

interface GroupProps {
  name: string;
  count: number;
  hasMore: boolean;
  /** Opens all results of this type; undefined if all of them are visible. */
  onAll?: (() => void) | undefined;
  children: ReactNode;
}

/** Results of one type with their number. */
export function Group({ name, count, hasMore, onAll, children }: GroupProps) {
  const { t } = useLingui();
  const id = useId();
  if (count === 0) return null;
  return (
    <section className={styles.group} aria-labelledby={id}>
      <div className={styles.groupHead}>
        <h2 id={id}>
          {name} <span className={`${styles.count} number`}>{hasMore ? `${count}+` : count}</span>
        </h2>
        {onAll && (
          <Button size="s" kind="quiet" aria-label={t`Show all: ${name}`} onClick={onAll}>
            <Trans>Show all</Trans>
          </Button>
        )}
      </div>
      {children}
    </section>
  );
}

/** Says that words were taken for typing errors, and offers to search for them as typed. */
export function Corrected({ search, corrections }: { search: Search; corrections: SearchReply['corrections'] }) {
  const corrected = correctedQuery(search.query, corrections);
  if (!corrected) return null;
  const { terms, literal } = corrected;
  const typed = search.words.terms;
  return (
    <p className={styles.corrected}>
      <Trans>
        Showing results for <strong>{terms}</strong>. <Link to={pathOfSearch(literal)}>Search for “{typed}” instead</Link>
      </Trans>
    </p>
  );
}

/** Buttons for the previous and next page of results. */
export function Pages({ search, hasMore }: { search: Search; hasMore: boolean }) {
  const page = Math.max(1, search.page);
  const go = (next: number) => {
    search.put({ page: next > 1 ? String(next) : null }, true);
    scrollTo({ top: 0 });
  };
  if (page === 1 && !hasMore) return null;
  return (
    <div className={styles.pages}>
      <Button disabled={page === 1} onClick={() => go(page - 1)}>
        <Trans>Back</Trans>
      </Button>
      <span className="number">{page}</span>
      <Button disabled={!hasMore} onClick={() => go(page + 1)}>
        <Trans>More results</Trans>
      </Button>
    </div>
  );
}

const settledMs = 1500;

/** Stores the search in this browser when it has results and the user stops typing. */
export function useRememberedSearch(query: string, hasFound: boolean) {
  useEffect(() => {
    if (!hasFound) return;
    const timer = setTimeout(() => rememberSearch(query), settledMs);
    return () => clearTimeout(timer);
  }, [hasFound, query]);
}
