import { Plural, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { WhatFollows } from '#web/bin/WhatFollows.tsx';
import { sizeText } from '#web/format/numbers.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Note } from '#web/ui/Note.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useConfirmation } from '#web/user/confirmation.tsx';
import { useConfig } from '#web/user/queries.ts';
import { matchingQuery, useForAll, type ForAll } from './matching.ts';
import type { VideoFilter } from './queries.ts';

interface Props {
  what: ForAll;
  filter: VideoFilter;
  onClose(): void;
  onDone(): void;
}

/** Asks before something is done with everything that matches: how many that are, and how much. */
export function AskForAll({ what, filter, onClose, onDone }: Props) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const matching = useQuery(matchingQuery(filter));
  const work = useForAll(() => {
    onDone();
    onClose();
  });
  const isDeletion = what === 'delete';
  const going = {
    videos: isDeletion ? (matching.data?.videos ?? 0) : 0,
    bytes: isDeletion ? (matching.data?.media_size ?? 0) : 0,
  };
  const confirmation = useConfirmation(going);
  const go = () => matching.data && work.mutate({ what, filter, videos: matching.data.videos, ...confirmation.sent });
  const words: Record<ForAll, { title: string; does: string; more?: string }> = {
    watched: { title: t`Mark all that match as watched?`, does: t`Mark as watched` },
    unwatched: {
      title: t`Mark all that match as not watched?`,
      does: t`Mark as not watched`,
      more: t`Where you stopped in them is forgotten.`,
    },
    keep: { title: t`Keep all that match?`, does: t`Keep`, more: t`No rule deletes them then.` },
    redownload: {
      title: t`Fetch all that match again?`,
      does: t`Redownload`,
      more: t`Each goes through the queue; its file stays until the new one is here.`,
    },
    delete: {
      title: t`Delete all that match?`,
      does: t`Delete all of them`,
      more: t`Their files, subtitles and comments are removed from the archive.`,
    },
  };
  const { title, does, more } = words[what];
  return (
    <Dialog title={title} onClose={onClose}>
      <Loaded query={matching} skeleton={<Skeleton height={24} />}>
        {({ videos, media_size }) => {
          const size = sizeText(media_size, unit);
          return (
            <p>
              <strong>
                <Plural value={videos} one={`# video (${size})`} other={`# videos (${size})`} />
              </strong>
              {more && ` · ${more}`}
            </p>
          );
        }}
      </Loaded>
      {isDeletion && <WhatFollows />}
      {confirmation.field(go)}
      {work.isError && <Note kind="danger">{work.error.message}</Note>}
      <DialogActions>
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button
          kind={isDeletion ? 'danger' : 'primary'}
          disabled={!matching.data || matching.data.videos === 0 || (isDeletion && !confirmation.isReady)}
          isBusy={work.isPending}
          onClick={go}
        >
          {does}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
