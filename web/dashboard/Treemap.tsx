import { hierarchy, treemap } from 'd3-hierarchy';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { ChannelSize } from '#contract/stats.ts';
import { exactText, sizeText } from '#web/format/numbers.ts';
import { useConfig, useIsStaff } from '#web/api/account.ts';
import { pathOfChannel } from '#web/api/paths.ts';
import { LazyPopup } from '#web/ui/LazyPopup.tsx';
import styles from './Dashboard.module.css';
import { ChartCard } from './ChartCard.tsx';
import { shares } from '#web/api/queries/stats.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const ChannelMenu = lazyComponent(async () => (await import('./ChannelMenu.tsx')).ChannelMenu);

const height = 320;
// Smallest tile sides in px for a link and for a name; the table lists the rest.
const [smallestLink, smallestName] = [28, 64];
// Two lines of text with padding, in px.
const smallestWords = 62;

/** A channel, the other channels together, or the whole. */
type Tile = Pick<ChannelSize, 'id' | 'name' | 'media_size'> & { children?: Tile[] };

function Tiles({ channels, others }: { channels: ChannelSize[]; others: { channels: number; media_size: number } }) {
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
          <LazyPopup
            key={id}
            button={(props) => (
              <button type="button" {...look} {...props} aria-label={accessibleName}>
                {caption}
              </button>
            )}
            popup={(props) => <ChannelMenu id={id} {...props} />}
          />
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
