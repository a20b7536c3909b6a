import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconMovie, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useIsStaff, useConfig } from '#web/api/account.ts';
import type { Filter } from '#web/api/queries/video-filter.ts';
import { channelQuery } from '#web/api/queries/channel.ts';
import { sizeText } from '#web/format/numbers.ts';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/Callout.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { useQueryParams } from '#web/ui/use-search-params.ts';
import { useTitle } from '#web/ui/use-title.ts';
import { conditionsOf } from '../cleanup/watched-rule.ts';
import { WatchedRuleButton } from '../cleanup/WatchedRuleButton.tsx';
import { useFilterWords } from '../filters/use-filter-words.ts';
import { VideoListing } from '../list/VideoListing.tsx';
import { changedFilterIn } from '../list-view/use-listing.ts';
import { BulkActionDialog } from '../selection/BulkActionDialog.tsx';
import { bulkSummaryQuery } from '../selection/bulk-actions.ts';
import styles from './FilteredVideos.module.css';

const PlayFiltered = lazyComponent(async () => (await import('./PlayFiltered.tsx')).PlayFiltered, 'optional');

/** Number and size of the matching videos; staff can delete candidates for cleanup, after a dialog that names both again. */
function Summary({ filter }: { filter: Filter }) {
  const { t } = useLingui();
  const isStaff = useIsStaff();
  const conditions = conditionsOf(filter);
  const unit = useConfig()?.file_size_unit;
  const { data } = useQuery(bulkSummaryQuery(filter));
  const [isDeleting, setIsDeleting] = useState(false);
  if (!data || data.videos === 0) return null;
  const { videos, media_size: bytes } = data;
  const size = sizeText(bytes, unit);
  return (
    <>
      <p className={`${styles.summary} number`}>
        <Plural value={videos} one={`# video · ${size}`} other={`# videos · ${size}`} />
      </p>
      {isStaff && filter.cleanup && (
        <Button size="s" icon={<IconTrash aria-hidden />} onClick={() => setIsDeleting(true)}>
          <Plural value={videos} one="Delete # video…" other="Delete all # videos…" />
        </Button>
      )}
      {isStaff && conditions && (
        <WatchedRuleButton label={t`Delete automatically…`} conditions={conditions} channel={filter.channel} />
      )}
      {isDeleting && (
        <BulkActionDialog
          what="delete"
          filter={filter}
          onClose={() => setIsDeleting(false)}
          onDone={() => setIsDeleting(false)}
        />
      )}
    </>
  );
}

/** The videos of a filter that is completely in the address, independent of the filters that a user keeps for other lists. */
export function FilteredVideos() {
  const { t } = useLingui();
  const [search] = useQueryParams();
  const filter = changedFilterIn(search) ?? {};
  const { data: channel } = useQuery({ ...channelQuery(filter.channel ?? ''), enabled: filter.channel !== undefined });
  const words = [...(channel ? [channel.channel_name] : []), ...useFilterWords()(filter)];
  const name = words.join(' · ') || t`All videos`;
  useTitle(name);
  return (
    <VideoListing
      listPage="list"
      head={
        <div className={styles.head}>
          <h1>{name}</h1>
          {words.length > 0 && <Summary filter={filter} />}
          {(filter.artist || filter.album) && <PlayFiltered filter={filter} />}
          {filter.cleanup && (
            <p className={styles.note}>
              <Trans>
                Not listed: videos that are protected, in a custom playlist, or in progress for any user. Deleted videos go to the
                trash.
              </Trans>
            </p>
          )}
        </div>
      }
      empty={<EmptyState icon={<IconMovie />} title={t`No videos yet`} />}
    />
  );
}
