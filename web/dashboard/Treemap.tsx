import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { Share } from '#contract/stats.ts';
import { exactText, sizeText } from '#web/format/numbers.ts';
import { useConfig } from '#web/user/queries.ts';
import { pathOfChannel } from '#web/video/paths.ts';
import styles from './Dashboard.module.css';
import { Figure } from './Figure.tsx';
import { shares } from './queries.ts';
import { squarify } from './squarify.ts';

const height = 320;
// What is smaller cannot be hit, or not be read; the table has it.
const [smallestLink, smallestName] = [28, 64];
// Two lines, and what is around them.
const smallestWords = 62;

function Tiles({ channels, others }: { channels: Share[]; others: { channels: number; media_size: number } }) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = new ResizeObserver(() => setWidth(element.clientWidth));
    look.observe(element);
    return () => look.disconnect();
  }, []);
  const all = [
    ...channels,
    ...(others.channels > 0 ? [{ id: '', name: t`${exactText(others.channels)} others`, media_size: others.media_size }] : []),
  ].toSorted((a, b) => b.media_size - a.media_size);
  const largest = all[0]?.media_size ?? 1;
  const tiles = squarify(
    all.map((one) => one.media_size),
    width,
    height,
  );
  return (
    <div ref={box} className={styles.treemap} style={{ blockSize: height }}>
      {tiles.map((tile, place) => {
        const { id, name, media_size: size } = all[place]!;
        const says = `${name}: ${sizeText(size, unit)}`;
        const look = {
          className: styles.tile,
          title: says,
          style: {
            insetInlineStart: tile.x,
            insetBlockStart: tile.y,
            inlineSize: tile.width,
            blockSize: tile.height,
            '--weight': `${10 + Math.round((size / largest) * 30)}%`,
          } as React.CSSProperties,
        };
        const words = tile.width > smallestName && tile.height > smallestWords && (
          <>
            <bdi>{name}</bdi> <span className="number">{sizeText(size, unit)}</span>
          </>
        );
        return id !== '' && tile.width >= smallestLink && tile.height >= smallestLink ? (
          <Link key={id} {...look} to={pathOfChannel(id)} aria-label={words ? undefined : says}>
            {words}
          </Link>
        ) : (
          <div key={id} {...look}>
            {words}
          </div>
        );
      })}
    </div>
  );
}

/** What each channel takes up, as a map. */
export function Treemap() {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const query = useQuery(shares);
  return (
    <Figure
      title={t`What takes up the space`}
      isWide
      query={query}
      height={height}
      isEmpty={({ channels }) => channels.length === 0}
      emptyWords={t`Nothing yet.`}
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
