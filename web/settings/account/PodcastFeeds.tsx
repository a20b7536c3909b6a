import { useAction } from '#web/confirm/use-action.ts';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconBroadcast } from '@tabler/icons-react';
import { useState } from 'react';
import type { Podcast } from '#contract/podcast.ts';
import { call, callAddress } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { podcastsQuery } from '#web/api/queries/sharing.ts';
import { agoText } from '#web/format/dates.ts';
import { PodcastDialog } from '#web/sharing/PodcastDialog.tsx';
import { Button, buttonClass } from '#web/ui/Button.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { Section } from '#web/setting-fields/Section.tsx';
import { EntryRow } from '#web/setting-fields/EntryRow.tsx';
import { ActionRow } from '#web/ui/ActionRow.tsx';

function FeedRow({ feed }: { feed: Podcast }) {
  const { t } = useLingui();
  const showToast = useToast();
  const types = { channel: t`Channel`, playlist: t`Playlist`, 'smart-list': t`Smart list`, new: t`Everything new` };
  const name = feed.type === 'new' ? t`Everything new` : (feed.name ?? t`Deleted or no longer shared`);
  const revoke = useAction(() => call('DELETE /api/podcast/:id/', { params: { id: String(feed.id) } }), {
    onSuccess: () => showToast(t`Feed of ${name} revoked.`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: podcastsQuery.queryKey }),
  });
  return (
    <EntryRow
      icon={<IconBroadcast aria-hidden />}
      name={name}
      facts={
        <>
          {feed.type !== 'new' && <span>{types[feed.type]}</span>}
          <span>{feed.media === 'audio' ? t`Audio` : t`Video`}</span>
          <span>{feed.last_used === null ? t`never used` : t`used ${agoText(feed.last_used)}`}</span>
        </>
      }
    >
      {feed.name !== null && feed.url !== null && <CopyButton text={feed.url} label={t`Copy the address of ${name}`} />}
      <Button size="s" kind="danger" aria-label={t`Revoke: ${name}`} isBusy={revoke.isPending} onClick={() => revoke.mutate()}>
        <Trans>Revoke</Trans>
      </Button>
    </EntryRow>
  );
}

/** The podcast feeds of the user. */
export function PodcastFeeds() {
  const { t } = useLingui();
  const query = useQuery(podcastsQuery);
  const [isAdding, setIsAdding] = useState(false);
  return (
    <Section
      id="podcasts"
      title={t`Podcast feeds`}
      text={
        <Trans>
          Secret addresses for podcast apps. Create them in the menu of a channel, playlist or smart list. A revoked address stops
          working at once.
        </Trans>
      }
    >
      <QueryBoundary query={query} skeleton={120}>
        {(feeds) => (
          <>
            {feeds.length > 0 && (
              <ul>
                {feeds.map((feed) => (
                  <FeedRow key={feed.id} feed={feed} />
                ))}
              </ul>
            )}
            <ActionRow>
              <Button onClick={() => setIsAdding(true)}>
                <Trans>Feed of everything new…</Trans>
              </Button>
              {feeds.length > 0 && (
                <a className={buttonClass()} href={callAddress('/api/podcast/opml/')} download>
                  <Trans>Export as OPML</Trans>
                </a>
              )}
            </ActionRow>
          </>
        )}
      </QueryBoundary>
      {isAdding && <PodcastDialog name={t`Everything new`} target={{ type: 'new' }} onClose={() => setIsAdding(false)} />}
    </Section>
  );
}
