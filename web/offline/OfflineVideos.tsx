import { Trans, useLingui } from '@lingui/react/macro';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { IconDeviceMobile, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { queryClient } from '#web/api/client.ts';
import { addressOf } from '#web/api/call.ts';
import { agoText } from '#web/format/dates.ts';
import { durationText, sizeText } from '#web/format/numbers.ts';
import { Button, buttonClass, IconButton } from '#web/ui/Button.tsx';
import { Callout, EmptyState } from '#web/ui/Callout.tsx';
import { Logo } from '#web/ui/Logo.tsx';
import { useTitle } from '#web/ui/use-title.ts';
import { useSavedFile } from './use-saved-file.ts';
import { OfflinePlayer } from './OfflinePlayer.tsx';
import { syncOfflineProgress } from './offline-progress.ts';
import { canSaveVideos, listSavedVideos, removeSavedVideo, storageUse, type SavedVideo } from './saved-videos.ts';
import styles from './OfflineVideos.module.css';

const savedQuery = queryOptions({
  queryKey: ['offline'],
  queryFn: async () => ({ videos: await listSavedVideos(), ...(await storageUse()) }),
  networkMode: 'always',
  staleTime: 0,
});

function SavedItem({ saved, onPlay }: { saved: SavedVideo; onPlay(): void }) {
  const { t } = useLingui();
  const { video, bytes, isGone } = saved;
  const { title } = video;
  const savedAgo = agoText(saved.savedAt / 1000);
  const picture = useSavedFile(video.youtube_id, 'picture');
  const remove = useMutation({
    networkMode: 'always',
    mutationFn: () => removeSavedVideo(video.youtube_id),
    onSettled: () => queryClient.invalidateQueries({ queryKey: savedQuery.queryKey }),
  });
  return (
    <li className={styles.item}>
      <button type="button" className={styles.play} onClick={onPlay}>
        <span className="hidden">{t`Play “${title}”`}</span>
        {picture && <img src={picture} alt="" />}
        <IconPlayerPlay aria-hidden />
        <span className={`${styles.badge} number`}>{durationText(video.player.duration)}</span>
      </button>
      <div className={styles.text}>
        <h2>
          <bdi>{video.title}</bdi>
        </h2>
        <p>
          <bdi>{video.channel.channel_name}</bdi>
        </p>
        <p>
          {sizeText(bytes)} · {t`saved ${savedAgo}`}
        </p>
        {isGone && <p className={styles.gone}>{t`No longer in the archive. This copy is kept until you remove it.`}</p>}
        {remove.isError && <p className={styles.gone}>{remove.error.message}</p>}
      </div>
      <IconButton label={t`Remove “${title}” from this device`} disabled={remove.isPending} onClick={() => remove.mutate()}>
        <IconTrash aria-hidden />
      </IconButton>
    </li>
  );
}

function Usage({ used, quota, bytes }: { used: number; quota: number; bytes: number }) {
  const { t } = useLingui();
  const [usedText, quotaText, savedText] = [sizeText(used), sizeText(quota), sizeText(bytes)];
  return (
    <div className={styles.usage}>
      <meter min={0} max={Math.max(quota, 1)} value={used} aria-label={t`Storage used on this device`} />
      <p>{t`Videos: ${savedText}. This browser uses ${usedText} of the ${quotaText} it allows.`}</p>
    </div>
  );
}

/** Page of the videos saved on this device. It needs no server, so it is outside of the layout of the other pages. */
export function OfflineVideos() {
  const { t } = useLingui();
  useTitle(t`Offline videos`);
  const { data, error } = useQuery({ ...savedQuery, enabled: canSaveVideos() });
  const [playingId, setPlayingId] = useState<string>();
  const playing = data?.videos.find(({ video }) => video.youtube_id === playingId);
  useEffect(() => {
    const sync = () => void syncOfflineProgress().then(() => queryClient.invalidateQueries({ queryKey: savedQuery.queryKey }));
    sync();
    addEventListener('online', sync);
    return () => removeEventListener('online', sync);
  }, []);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <a href={addressOf('/')} className={styles.name}>
          <Logo size={26} />
          <span>Reelkeep</span>
        </a>
        <a href={addressOf('/')} className={buttonClass('plain', 's')}>
          <Trans>Open the archive</Trans>
        </a>
      </header>
      <main className={styles.main}>
        <h1>
          <Trans>Offline videos</Trans>
        </h1>
        {!canSaveVideos() && (
          <Callout kind="danger">
            <Trans>This browser cannot save videos. Open the archive over HTTPS in a current browser.</Trans>
          </Callout>
        )}
        {error && <Callout kind="danger">{error.message}</Callout>}
        {playing && (
          <section className={styles.player} aria-label={playing.video.title}>
            <OfflinePlayer key={playing.video.youtube_id} saved={playing} />
            <Button size="s" onClick={() => setPlayingId(undefined)}>
              <Trans>Close player</Trans>
            </Button>
          </section>
        )}
        {data?.videos.length === 0 && (
          <EmptyState icon={<IconDeviceMobile />} title={t`No videos on this device`}>
            {t`Choose “Make available offline” in the menu of a video. Logging out removes saved videos.`}
          </EmptyState>
        )}
        {data && data.videos.length > 0 && (
          <>
            <Usage used={data.used} quota={data.quota} bytes={data.videos.reduce((sum, { bytes }) => sum + bytes, 0)} />
            <ul className={styles.list}>
              {data.videos.map((saved) => (
                <SavedItem key={saved.video.youtube_id} saved={saved} onPlay={() => setPlayingId(saved.video.youtube_id)} />
              ))}
            </ul>
            <p className={styles.note}>
              <Trans>Positions reached offline are sent to the archive later. Logging out removes saved videos.</Trans>
            </p>
          </>
        )}
      </main>
    </div>
  );
}
