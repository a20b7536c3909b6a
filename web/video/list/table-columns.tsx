import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Video } from '#contract/video.ts';
import { codecName } from '#web/format/codec-name.ts';
import { agoText, dayText } from '#web/format/dates.ts';
import { countText, durationText, exactText, percentText, sizeText } from '#web/format/numbers.ts';
import { parseStored, useLocalStorage } from '#web/ui/use-local-storage.ts';
import { pathOfChannel } from '#web/api/paths.ts';
import type { Sort } from '../list-view/use-listing.ts';

interface Column {
  key: string;
  name: MessageDescriptor;
  by?: Sort;
  isNumber?: true;
  /** In pixels. */
  width: number;
  isOptional?: true;
  /** Tooltip, such as the exact value. */
  title?(video: Video): string | undefined;
  cell(video: Video, context: { unit: 'binary' | 'metric' | undefined; tabIndex: number }): ReactNode;
}

const pictureOf = (video: Video) => video.streams.find((stream) => stream.height);

const watchedShare = ({ player: { watched, position = 0, duration } }: Video) =>
  watched ? 1 : duration > 0 ? Math.min(position / duration, 1) : 0;

/** Columns after the title, in order. */
const columns: Column[] = [
  {
    key: 'channel',
    name: msg`Channel`,
    width: 140,
    cell: ({ channel }, { tabIndex }) => (
      <Link to={pathOfChannel(channel.channel_id)} tabIndex={tabIndex}>
        <bdi>{channel.channel_name}</bdi>
      </Link>
    ),
  },
  {
    key: 'published',
    name: msg`Published`,
    by: 'published',
    width: 136,
    title: ({ published }) => agoText(published),
    cell: ({ published }) => dayText(published),
  },
  {
    key: 'downloaded',
    name: msg`Added`,
    by: 'downloaded',
    width: 136,
    isOptional: true,
    title: ({ date_downloaded }) => agoText(date_downloaded),
    cell: ({ date_downloaded }) => dayText(date_downloaded),
  },
  {
    key: 'duration',
    name: msg`Length`,
    by: 'duration',
    isNumber: true,
    width: 80,
    cell: ({ player }) => durationText(player.duration),
  },
  {
    key: 'watched',
    name: msg`Watched`,
    width: 92,
    isNumber: true,
    isOptional: true,
    cell: (video) => (watchedShare(video) > 0 ? percentText(watchedShare(video)) : ''),
  },
  {
    key: 'views',
    name: msg`Views`,
    width: 92,
    by: 'views',
    isNumber: true,
    title: ({ stats }) => exactText(stats.view_count),
    cell: ({ stats }) => countText(stats.view_count),
  },
  {
    key: 'likes',
    name: msg`Likes`,
    width: 84,
    by: 'likes',
    isNumber: true,
    isOptional: true,
    title: ({ stats }) => exactText(stats.like_count),
    cell: ({ stats }) => countText(stats.like_count),
  },
  {
    key: 'height',
    name: msg`Resolution`,
    width: 104,
    by: 'height',
    isNumber: true,
    cell: (video) => {
      const height = pictureOf(video)?.height;
      return height && `${height}p`;
    },
  },
  {
    key: 'codec',
    name: msg`Codec`,
    width: 76,
    isOptional: true,
    cell: (video) => {
      const codec = pictureOf(video)?.codec;
      return codec && codecName(codec);
    },
  },
  {
    key: 'size',
    name: msg`Size`,
    width: 84,
    by: 'mediasize',
    isNumber: true,
    title: ({ media_size }) => exactText(media_size),
    cell: ({ media_size }, { unit }) => sizeText(media_size, unit),
  },
];

const standard = columns.filter(({ isOptional }) => !isOptional).map(({ key }) => key);

// Checkbox, title and actions.
const fixedWidth = 44 + 220 + 96;

/** All columns, those that this browser shows, and the least width of the table in pixels. */
export function useTableColumns() {
  const [stored, setStored] = useLocalStorage('reelkeep.table-columns');
  const keys = parseStored(stored, (found) => (Array.isArray(found) ? found : standard) as unknown[]);
  const visible = columns.filter(({ key }) => keys.includes(key));
  const toggle = (key: string, isVisible: boolean) =>
    setStored(JSON.stringify([...visible.map((one) => one.key).filter((one) => one !== key), ...(isVisible ? [key] : [])]));
  const leastWidth = fixedWidth + visible.reduce((sum, { width }) => sum + width, 0);
  return { columns, visible, toggle, leastWidth };
}
