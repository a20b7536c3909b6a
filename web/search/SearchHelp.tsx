import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import { Link } from 'react-router';
import { Button } from '#web/ui/Button.tsx';
import { pathOfSearch } from './query-words.ts';
import { useRecentSearches } from './recent.ts';
import styles from './SearchPage.module.css';

const examples = [
  '"night train" in:comment,spoken',
  'gasket by:jane after:2025',
  'video:tutorial channel:night',
  'full:"good evening" lang:en',
  'channel:bread subscribed:yes',
  'playlist:best active:yes',
  'trains -winter',
];

interface Keyword {
  word: string;
  means: MessageDescriptor;
}

const ofEverything: Keyword[] = [
  {
    word: 'in:',
    means: msg`only in titles, spoken words, chapters, descriptions, comments or tags, for example in:comment,chapter`,
  },
  { word: 'by:', means: msg`comments by this author` },
  { word: 'tag:', means: msg`videos with this tag` },
  { word: 'channel:', means: msg`videos of channels with this name; not as the first word` },
  { word: 'lang:', means: msg`words spoken in this language, for example lang:en` },
  { word: 'after: before:', means: msg`published in this period, for example after:2024 or before:2025-06-01` },
  { word: 'is:', means: msg`watched, unwatched or generated (transcripts)` },
  { word: '"…"', means: msg`exact phrase; also as a value, for example by:"Jane Doe"` },
  { word: '-…', means: msg`exclude this word` },
];

const ofType: Keyword[] = [
  { word: 'video:', means: msg`video titles, tags and categories` },
  { word: 'channel:', means: msg`channel names and descriptions; after video: or full: only results from that channel` },
  { word: 'playlist:', means: msg`playlist names and descriptions` },
  { word: 'full:', means: msg`spoken words (subtitles)` },
  { word: 'active:yes/no', means: msg`still online, or not` },
  { word: 'subscribed:yes/no', means: msg`subscribed, or not` },
  { word: 'lang:', means: msg`subtitle language, for example lang:en` },
  { word: 'source:auto/user', means: msg`automatic or human-made subtitles` },
];

function Keywords({ title, keywords }: { title: string; keywords: Keyword[] }) {
  const { t } = useLingui();
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
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
  );
}

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
      <Keywords title={t`Keywords`} keywords={ofEverything} />
      <Keywords title={t`Search one type`} keywords={ofType} />
    </div>
  );
}
