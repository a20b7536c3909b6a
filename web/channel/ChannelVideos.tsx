import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconMovie } from '@tabler/icons-react';
import { EmptyState } from '#web/ui/Callout.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { VideoListing } from '#web/video/list/VideoListing.tsx';
import { MarkAll } from '#web/video/selection/MarkAll.tsx';
import { channelSums } from '#web/api/queries/channel.ts';

/** Marks the videos of all types of a channel. */
function MarkChannel({ id }: { id: string }) {
  const { data } = useQuery(channelSums(id));
  return data ? <MarkAll of={{ channel: id }} count={data.total_items.value} /> : <Skeleton width={160} height={38} />;
}

/** Videos of one type in a channel. */
export function ChannelVideos({ id, type }: { id: string; type: 'videos' | 'streams' | 'shorts' }) {
  const { t } = useLingui();
  return (
    <VideoListing
      listPage="channel"
      scope={{ channel: id, type }}
      head={<MarkChannel id={id} />}
      empty={
        <EmptyState icon={<IconMovie />} title={t`No videos`}>
          {t`No videos of this type are archived from this channel.`}
        </EmptyState>
      }
    />
  );
}
