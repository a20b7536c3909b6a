import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Video } from '#contract/video.ts';
import { agoText, momentText } from '#web/format/dates.ts';
import { countText, durationText, exactText, sizeText } from '#web/format/numbers.ts';
import { useConfig } from '#web/user/queries.ts';
import { MoreButton, WatchedButton } from './CardActions.tsx';
import { pathOfChannel, pathOfVideo } from './paths.ts';
import { choosingOf, isNewSince, type Shown } from './shown.ts';
import styles from './VideoTable.module.css';

const heightOf = (video: Video) => video.streams.find((stream) => stream.height)?.height;

const heads: { name: MessageDescriptor; by?: string; isNumber?: true; isWide?: true }[] = [
  { name: msg`Title`, isWide: true },
  { name: msg`Channel` },
  { name: msg`Published`, by: 'published' },
  { name: msg`Length`, by: 'duration', isNumber: true },
  { name: msg`Views`, by: 'views', isNumber: true },
  { name: msg`Height`, by: 'height', isNumber: true },
  { name: msg`Size`, by: 'mediasize', isNumber: true },
];

function Head({ name, by, isNumber, sorting }: (typeof heads)[number] & { sorting: Shown['sorting'] }) {
  const { t } = useLingui();
  const className = isNumber ? styles.right : '';
  if (!by || !sorting)
    return (
      <th scope="col" className={className}>
        {t(name)}
      </th>
    );
  const isBy = sorting.by === by;
  const Arrow = sorting.order === 'asc' ? IconArrowUp : IconArrowDown;
  const direction = sorting.order === 'asc' ? 'ascending' : 'descending';
  return (
    <th scope="col" className={className} aria-sort={isBy ? direction : undefined}>
      <button type="button" className={styles.sort} onClick={() => sorting.onSort(by)}>
        {t(name)} {isBy && <Arrow aria-hidden />}
      </button>
    </th>
  );
}

/** Videos as lines, dense, to compare and to choose. */
export function VideoTable({
  items,
  total,
  before = 0,
  after = 0,
  newSince,
  selection,
  active,
  listens,
  listRef,
  sorting,
}: Shown) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  return (
    <div className={styles.scroll} role="region" aria-label={t`Videos`} tabIndex={0}>
      <table
        className={`${styles.table} ${selection.isOn ? styles.choosing : ''}`}
        aria-rowcount={total}
        ref={listRef}
        {...listens}
      >
        <thead>
          <tr>
            <th scope="col" className={styles.narrow}>
              <span className="hidden">{t`Selected`}</span>
            </th>
            {heads.map((head, place) => (
              <Head key={place} {...head} sorting={sorting} />
            ))}
            <th scope="col">
              <span className="hidden">{t`Actions`}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr aria-hidden style={{ height: before }} />}
          {items.map(({ at, video }) => {
            if (!video) return <tr key={at} data-at={at} className={styles.line} />;
            const choosing = choosingOf(selection, { at, video });
            const height = heightOf(video);
            const tabIndex = at === active ? 0 : -1;
            return (
              <tr key={at} data-at={at} className={`${styles.line} ${choosing.isChosen ? styles.chosen : ''}`}>
                <td className={styles.narrow} data-box>
                  <input
                    type="checkbox"
                    aria-label={t`Select “${video.title}”`}
                    checked={choosing.isChosen}
                    tabIndex={tabIndex}
                    onChange={choosing.toggle}
                  />
                </td>
                <td className={styles.wide}>
                  {isNewSince(video, newSince) && <span className={styles.new}>{t`New`}</span>}
                  <Link to={pathOfVideo(video)} title={video.title} data-main tabIndex={tabIndex}>
                    <bdi>{video.title}</bdi>
                  </Link>
                </td>
                <td className={styles.channel}>
                  <Link to={pathOfChannel(video.channel.channel_id)} tabIndex={tabIndex}>
                    <bdi>{video.channel.channel_name}</bdi>
                  </Link>
                </td>
                <td title={momentText(video.published)}>{agoText(video.published)}</td>
                <td className={`${styles.right} number`}>{durationText(video.player.duration)}</td>
                <td className={`${styles.right} number`} title={exactText(video.stats.view_count)}>
                  {countText(video.stats.view_count)}
                </td>
                <td className={`${styles.right} number`}>{height && `${height}p`}</td>
                <td className={`${styles.right} number`} title={exactText(video.media_size)}>
                  {sizeText(video.media_size, unit)}
                </td>
                <td className={styles.actions}>
                  <WatchedButton video={video} tabIndex={tabIndex} />
                  <MoreButton video={video} onSelect={choosing.toggle} tabIndex={tabIndex} />
                </td>
              </tr>
            );
          })}
          {after > 0 && <tr aria-hidden style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  );
}
