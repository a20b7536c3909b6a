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
  { word: 'video:', means: msg`titles, tags and categories of videos` },
  { word: 'channel:', means: msg`names and descriptions of channels; after video: or full: only what is of that channel` },
  { word: 'playlist:', means: msg`names and descriptions of playlists` },
  { word: 'full:', means: msg`what is spoken` },
  { word: 'active:yes/no', means: msg`still at its site, or not` },
  { word: 'subscribed:yes/no', means: msg`subscribed to, or not` },
  { word: 'lang:', means: msg`the language of what is spoken, such as lang:en` },
  { word: 'source:auto/user', means: msg`subtitles made by a machine, or by people` },
  { word: '"…"', means: msg`these words together` },
  { word: '-…', means: msg`without this word` },
];

/** What is shown while nothing is looked for: what one looked for before, examples, and the keywords. */
export function Cheatsheet() {
  const { t } = useLingui();
  const { searches, forget } = useRecentSearches();
  return (
    <div className={styles.sheet}>
      {searches.length > 0 && (
        <section aria-labelledby="recent-searches">
          <div className={styles.sheetHead}>
            <h2 id="recent-searches">
              <Trans>Recent searches</Trans>
            </h2>
            <Button size="s" kind="quiet" onClick={forget}>
              <Trans>Forget them</Trans>
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
          <Trans>Try this</Trans>
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
