import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconMovie } from '@tabler/icons-react';
import { durationText, exactText, lengthText, sizeText, countText, videosText } from '#web/format/numbers.ts';
import { EmptyState } from '#web/ui/Callout.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useConfig } from '#web/api/account.ts';
import { VideoListing } from '#web/video/list/VideoListing.tsx';
import { MarkAll } from '#web/video/selection/MarkAll.tsx';
import { channelSums } from '#web/api/queries/channel.ts';
import styles from './ChannelPage.module.css';

/** Totals of a channel, and actions for all of its videos. */
function ChannelTotals({ id }: { id: string }) {
  const { data } = useQuery(channelSums(id));
  const unit = useConfig()?.file_size_unit;
  if (!data) return <Skeleton width={220} height={38} />;
  const { total_items: items, total_duration: duration, total_size: size } = data;
  // Totals cover all types, not only the visible one.
  const videos = items.value < 1_000_000 ? videosText(items.value) : countText(items.value);
  return (
    <div className={styles.totals}>
      <p>
        <span title={exactText(items.value)}>{videos}</span>
        {' · '}
        <span title={durationText(duration.value)}>{lengthText(duration.value)}</span>
        {' · '}
        <span title={exactText(size.value)}>{sizeText(size.value, unit)}</span>
      </p>
      <MarkAll of={{ channel: id }} count={items.value} />
    </div>
  );
}

/** Videos of one type in a channel. */
export function ChannelVideos({ id, type }: { id: string; type: 'videos' | 'streams' | 'shorts' }) {
  const { t } = useLingui();
  return (
    <VideoListing
      listPage="channel"
      scope={{ channel: id, type }}
      head={<ChannelTotals id={id} />}
      empty={
        <EmptyState icon={<IconMovie />} title={t`No videos`}>
          {t`No videos of this type are archived from this channel.`}
        </EmptyState>
      }
    />
  );
}
