import { useMutation } from '@tanstack/react-query';
import { IconCircleCheckFilled, IconCircleDashedCheck, IconDownload, IconExternalLink, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Video } from '#contract/video.ts';
import { addressOf, call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Avatar } from '#web/channel/Avatar.tsx';
import { countText } from '#web/format/numbers.ts';
import { sizeText } from '#web/format/numbers.ts';
import { Button, buttonClass } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Note } from '#web/ui/Note.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useConfig, useIsStaff } from '#web/user/queries.ts';
import { useMarkWatched, videoQuery } from './queries.ts';
import styles from './Headline.module.css';

function DeleteVideo({ video, onClose }: { video: Video; onClose(): void }) {
  const say = useToast();
  const navigate = useNavigate();
  const unit = useConfig()?.file_size_unit;
  const remove = useMutation({
    mutationFn: () => call('DELETE /api/video/:id/', { params: { id: video.youtube_id } }),
    onSuccess: () => {
      queryClient.removeQueries({ queryKey: videoQuery(video.youtube_id).queryKey });
      void queryClient.invalidateQueries({ queryKey: ['video'] });
      say(`“${video.title}” is deleted.`);
      void navigate('/', { replace: true });
    },
  });
  return (
    <Dialog title="Delete this video?" onClose={onClose}>
      <p>
        The file ({sizeText(video.media_size, unit)}), its subtitles and comments are removed from the archive. If it is gone from
        its site too, it cannot be had again.
      </p>
      {remove.isError && <Note kind="danger">{remove.error.message}</Note>}
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        <Button kind="danger" isBusy={remove.isPending} onClick={() => remove.mutate()}>
          Delete 1 video
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** The title, whose it is, and what can be done with it. */
export function Headline({ video }: { video: Video }) {
  const mark = useMarkWatched();
  const isStaff = useIsStaff();
  const [isDeleting, setIsDeleting] = useState(false);
  const { channel, player } = video;
  return (
    <header className={styles.headline}>
      <h1 className={styles.title}>
        <bdi>{video.title}</bdi>
      </h1>
      <div className={styles.row}>
        <Link to={`/channel/${encodeURIComponent(channel.channel_id)}/`} className={styles.channel}>
          <Avatar channel={channel} size={44} />
          <span>
            <strong>
              <bdi>{channel.channel_name}</bdi>
            </strong>
            {channel.channel_subs > 0 && <span>{countText(channel.channel_subs)} subscribers</span>}
          </span>
        </Link>
        <div className={styles.actions}>
          <Button
            aria-pressed={player.watched}
            icon={
              player.watched ? <IconCircleCheckFilled className={styles.on} aria-hidden /> : <IconCircleDashedCheck aria-hidden />
            }
            onClick={() => mark(video, !player.watched)}
          >
            {player.watched ? 'Watched' : 'Mark watched'}
          </Button>
          <a className={buttonClass()} href={`${addressOf(video.media_url)}?download`} download>
            <IconDownload aria-hidden /> <span>Download file</span>
          </a>
          {video.source_url && (
            <a className={buttonClass()} href={video.source_url} target="_blank" rel="noopener noreferrer nofollow">
              <IconExternalLink aria-hidden /> <span>{video.active ? 'Source: Active' : 'Source: Deactivated'}</span>
            </a>
          )}
          {isStaff && (
            <Button kind="danger" icon={<IconTrash aria-hidden />} onClick={() => setIsDeleting(true)}>
              Delete
            </Button>
          )}
        </div>
      </div>
      {isDeleting && <DeleteVideo video={video} onClose={() => setIsDeleting(false)} />}
    </header>
  );
}
