import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Podcast } from '#contract/podcast.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { podcastsQuery } from '#web/api/queries/sharing.ts';
import { Button } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { Dialog, DoneButton } from '#web/ui/Dialog.tsx';
import { Select } from '#web/ui/Field.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { spokenLanguages } from '#web/format/spoken-languages.ts';
import { useWithConfirmation } from '#web/confirm/ReauthProvider.tsx';
import { Address } from './Address.tsx';
import styles from './Sharing.module.css';

/** What a feed contains; `id` is missing for everything new. */
export interface FeedTarget {
  type: Podcast['type'];
  id?: string;
}

/** The address of an audio feed, in the language of the sound that is chosen. */
function AudioAddress({ url }: { url: string }) {
  const { t, i18n } = useLingui();
  const [sound, setSound] = useState('');
  return (
    <>
      <Address url={sound ? `${url}?sound=${sound}` : url} copyLabel={t`Copy the address for audio`} />
      <Select
        label={t`Language of the sound`}
        help={t`Videos without it are played in their original language.`}
        value={sound}
        choices={[{ value: '', label: t`Original` }, ...spokenLanguages(i18n.locale)]}
        onChange={({ target }) => setSound(target.value)}
      />
    </>
  );
}

function MediaFeed({ target, media, feeds }: { target: FeedTarget; media: Podcast['media']; feeds: Podcast[] }) {
  const { t } = useLingui();
  const title = media === 'audio' ? t`Audio` : t`Video`;
  const feed = feeds.find((one) => one.type === target.type && one.target === (target.id ?? null) && one.media === media);
  const withConfirmation = useWithConfirmation();
  const create = useMutation({
    mutationFn: () => withConfirmation((confirm) => call('POST /api/podcast/', { body: { ...target, media }, ...confirm })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: podcastsQuery.queryKey }),
  });
  return (
    <section className={styles.media} aria-label={title}>
      <h3>{title}</h3>
      {feed?.url ? (
        media === 'audio' ? (
          <AudioAddress url={feed.url} />
        ) : (
          <Address url={feed.url} copyLabel={t`Copy the address for video`} />
        )
      ) : (
        <div>
          <Button isBusy={create.isPending} onClick={() => create.mutate()}>
            {media === 'audio' ? t`Create an audio feed` : t`Create a video feed`}
          </Button>
        </div>
      )}
      {create.isError && <Callout kind="danger">{create.error.message}</Callout>}
    </section>
  );
}

/** Creates and shows the addresses of a list for podcast apps. */
export function PodcastDialog({ name, target, onClose }: { name: string; target: FeedTarget; onClose(): void }) {
  const { t } = useLingui();
  const query = useQuery(podcastsQuery);
  return (
    <Dialog title={t`Podcast: ${name}`} onClose={onClose}>
      <p className={styles.text}>
        <Trans>
          Add the address in your podcast app. It is secret: anyone with the address can play these videos. You can revoke it in{' '}
          <Link to="/settings/user/sharing/">Podcasts and share links</Link>.
        </Trans>
      </p>
      <QueryBoundary query={query} skeleton={120}>
        {(feeds) => (
          <>
            <MediaFeed target={target} media="audio" feeds={feeds} />
            <MediaFeed target={target} media="video" feeds={feeds} />
          </>
        )}
      </QueryBoundary>
      <DoneButton onClick={onClose} />
    </Dialog>
  );
}
