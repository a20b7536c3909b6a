import { hierarchy, treemap } from 'd3-hierarchy';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconDeviceTv, IconSortDescending, IconTrash } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { Share } from '#contract/stats.ts';
import { exactText, sizeText, videosText } from '#web/format/numbers.ts';
import { useConfig, useIsStaff } from '#web/api/account.ts';
import { pathOfChannel } from '#web/api/paths.ts';
import { pathOfFilter } from '#web/api/queries/video-filter.ts';
import { Menu, MenuLink, MenuSeparator } from '#web/ui/Menu.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useSuggestions } from './suggestions.ts';
import styles from './Dashboard.module.css';
import { ChartCard } from './ChartCard.tsx';
import { shares } from '../api/queries/stats.ts';

const height = 320;
// Smallest tile sides in px for a link and for a name; the table lists the rest.
const [smallestLink, smallestName] = [28, 64];
// Two lines of text with padding, in px.
const smallestWords = 62;

/** A channel, the other channels together, or the whole. */
type Tile = Pick<Share, 'id' | 'name' | 'media_size'> & { children?: Tile[] };

/** Opens a channel, and its lists of videos that could be deleted. */
function ChannelMenu({ id }: { id: string }) {
  const { t } = useLingui();
  const suggestions = useSuggestions(id);
  return (
    <>
      <MenuLink to={pathOfChannel(id)} icon={<IconDeviceTv aria-hidden />}>{t`Open channel`}</MenuLink>
      <MenuLink to={pathOfFilter({ channel: id, sort: 'mediasize' })} icon={<IconSortDescending aria-hidden />}>
        {t`Largest videos`}
      </MenuLink>
      <MenuSeparator />
      {suggestions?.map(({ filter, name, videos, size }) => (
        <MenuLink key={name} to={pathOfFilter({ ...filter, sort: 'mediasize' })} icon={<IconTrash aria-hidden />}>
          {name}
          <span className={`${styles.amount} number`}>
            {videosText(videos)} · {size}
          </span>
        </MenuLink>
      ))}
      {suggestions?.length === 0 && <p className={styles.menuNote}>{t`No suggestions to free up space`}</p>}
      {!suggestions && <Skeleton height={36} />}
    </>
  );
}

function Tiles({ channels, others }: { channels: Share[]; others: { channels: number; media_size: number } }) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const isStaff = useIsStaff();
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = new ResizeObserver(() => setWidth(element.clientWidth));
    look.observe(element);
    return () => look.disconnect();
  }, []);
  const channelsAndRest = [
    ...channels,
    ...(others.channels > 0 ? [{ id: '', name: t`${exactText(others.channels)} others`, media_size: others.media_size }] : []),
  ].toSorted((a, b) => b.media_size - a.media_size);
  const largest = channelsAndRest[0]?.media_size ?? 1;
  const root = hierarchy<Tile>({ id: '', name: '', media_size: 0, children: channelsAndRest }).sum((one) => one.media_size);
  const tiles = treemap<Tile>().size([width, height])(root).children ?? [];
  return (
    <div ref={box} className={styles.treemap} style={{ blockSize: height }}>
      {tiles.map(({ data: { id, name, media_size: size }, x0, x1, y0, y1 }) => {
        const tile = { width: x1 - x0, height: y1 - y0 };
        const label = `${name}: ${sizeText(size, unit)}`;
        const look = {
          className: styles.tile,
          title: label,
          style: {
            insetInlineStart: x0,
            insetBlockStart: y0,
            inlineSize: tile.width,
            blockSize: tile.height,
            '--weight': `${10 + Math.round((size / largest) * 30)}%`,
          } as React.CSSProperties,
        };
        const caption = tile.width > smallestName && tile.height > smallestWords && (
          <>
            <bdi>{name}</bdi> <span className="number">{sizeText(size, unit)}</span>
          </>
        );
        if (id === '' || tile.width < smallestLink || tile.height < smallestLink)
          return (
            <div key={id} {...look}>
              {caption}
            </div>
          );
        const accessibleName = caption ? undefined : label;
        return isStaff ? (
          <Menu
            key={id}
            trigger={
              <button type="button" {...look} aria-label={accessibleName}>
                {caption}
              </button>
            }
          >
            <ChannelMenu id={id} />
          </Menu>
        ) : (
          <Link key={id} {...look} to={pathOfChannel(id)} aria-label={accessibleName}>
            {caption}
          </Link>
        );
      })}
    </div>
  );
}

/** Treemap of the storage used by each channel. */
export function Treemap() {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const query = useQuery(shares);
  return (
    <ChartCard
      title={t`Storage by channel`}
      isWide
      query={query}
      height={height}
      isEmpty={({ channels }) => channels.length === 0}
      render={({ channels, others }) => <Tiles channels={channels} others={others} />}
      table={({ channels, others }) => ({
        head: [t`Channel`, t`Size`, t`Videos`],
        rows: [
          ...channels.map(({ id, name, media_size: size, count }) => [
            <Link key={id} to={pathOfChannel(id)}>
              <bdi>{name}</bdi>
            </Link>,
            sizeText(size, unit),
            exactText(count),
          ]),
          ...(others.channels > 0
            ? [[t`${exactText(others.channels)} others`, sizeText(others.media_size, unit), exactText(others.count)]]
            : []),
        ],
      })}
    />
  );
}
