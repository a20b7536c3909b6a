import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from 'react-router';
import { Button } from '#web/ui/Button.tsx';
import { pathOfSearch } from './query-words.ts';
import { useRecentSearches } from './recent.ts';
import styles from './SearchPage.module.css';

const examples = [
  'video:tutorial channel:night',
  'full:"good evening" lang:en',
  'channel:bread subscribed:yes',
  'playlist:best active:yes',
  'trains -winter',
];

const keywords: { word: string; means: MessageDescriptor }[] = [
  { word: 'video:', means: msg`video titles, tags and categories` },
  { word: 'channel:', means: msg`channel names and descriptions; after video: or full: only results from that channel` },
  { word: 'playlist:', means: msg`playlist names and descriptions` },
  { word: 'full:', means: msg`spoken words (subtitles)` },
  { word: 'active:yes/no', means: msg`still online, or not` },
  { word: 'subscribed:yes/no', means: msg`subscribed, or not` },
  { word: 'lang:', means: msg`subtitle language, for example lang:en` },
  { word: 'source:auto/user', means: msg`automatic or human-made subtitles` },
  { word: '"…"', means: msg`exact phrase` },
  { word: '-…', means: msg`exclude this word` },
];

/** Shown for an empty query: recent searches, examples and keywords. */
export function SearchHelp() {
  const { t } = useLingui();
  const { searches, forget } = useRecentSearches();
  return (
    <div className={styles.help}>
      {searches.length > 0 && (
        <section aria-labelledby="recent-searches">
          <div className={styles.helpHead}>
            <h2 id="recent-searches">
              <Trans>Recent searches</Trans>
            </h2>
            <Button size="s" kind="quiet" onClick={forget}>
              <Trans>Clear</Trans>
            </Button>
          </div>
          <ul className={styles.chips}>
            {searches.map((query) => (
              <li key={query}>
                <Link to={pathOfSearch(query)} className={styles.chip}>
                  {query}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-labelledby="examples">
        <h2 id="examples">
          <Trans>Examples</Trans>
        </h2>
        <ul className={styles.chips}>
          {examples.map((query) => (
            <li key={query}>
              <Link to={pathOfSearch(query)} className={styles.chip}>
                <code>{query}</code>
              </Link>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="keywords">
        <h2 id="keywords">
          <Trans>Keywords</Trans>
        </h2>
        <dl className={styles.keywords}>
          {keywords.map(({ word, means }) => (
            <div key={word}>
              <dt>
                <code>{word}</code>
              </dt>
              <dd>{t(means)}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}
