import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconMovie } from '@tabler/icons-react';
import { exactText, lengthText, sizeText, totalText, videosText } from '#web/format/numbers.ts';
import { Empty } from '#web/ui/Note.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useConfig } from '#web/user/queries.ts';
import { VideoListing } from '#web/video/VideoListing.tsx';
import { MarkAll } from './MarkAll.tsx';
import { channelSums } from './queries.ts';
import styles from './ChannelPage.module.css';

/** How much a channel is in all, and what can be done with all of it. */
function Sums({ id }: { id: string }) {
  const { t } = useLingui();
  const { data } = useQuery(channelSums(id));
  const unit = useConfig()?.file_size_unit;
  if (!data) return <Skeleton width={220} height={38} />;
  const { total_items: items, total_duration: duration, total_size: size } = data;
  // Of all kinds, whichever is shown below.
  const videos = items.value < 1_000_000 ? videosText(items.value) : totalText(items.value);
  return (
    <div className={styles.sums}>
      <p>
        <span title={exactText(items.value)}>{t`${videos} in all`}</span>
        {' · '}
        <span title={duration.value_str}>{lengthText(duration.value)}</span>
        {' · '}
        <span title={exactText(size.value)}>{sizeText(size.value, unit)}</span>
      </p>
      <MarkAll of={{ channel: id }} count={items.value} />
    </div>
  );
}

/** The videos of one kind that a channel has here. */
export function ChannelVideos({ id, type }: { id: string; type: 'videos' | 'streams' | 'shorts' }) {
  const { t } = useLingui();
  return (
    <VideoListing
      place="channel"
      scope={{ channel: id, type }}
      head={<Sums id={id} />}
      empty={
        <Empty icon={<IconMovie />} title={t`Nothing here`}>
          {t`Nothing of this kind has been archived from the channel.`}
        </Empty>
      }
    />
  );
}
