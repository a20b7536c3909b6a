import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { IconChevronRight, IconEyeOff, IconTrash } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { Suggestions } from '#contract/stats.ts';
import { useConfig } from '#web/api/account.ts';
import { pathOfVideo } from '#web/api/paths.ts';
import { useHideSuggestion } from '#web/api/queries/suggestions.ts';
import { pathOfFilter } from '#web/api/queries/video-filter.ts';
import { sizeText, videosText } from '#web/format/numbers.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import styles from './FreeUpSpace.module.css';

const DeleteVideo = lazyComponent(async () => (await import('#web/video/actions/DeleteVideo.tsx')).DeleteVideo);
const CopiesDialog = lazyComponent(async () => (await import('./CopiesDialog.tsx')).CopiesDialog);

const firstShown = 3;

interface KindProps<One> {
  title: string;
  /** Number and size of all suggestions. */
  amount: ReactNode;
  note: ReactNode;
  all: One[];
  render(one: One): ReactNode;
}

/** A kind of suggestions: the largest ones, and all others on request. */
function Kind<One extends { key: string }>({ title, amount, note, all, render }: KindProps<One>) {
  const { t } = useLingui();
  const heading = useId();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section className={styles.kind} aria-labelledby={heading}>
      <h3 id={heading}>{title}</h3>
      <p className={`${styles.sum} number`}>{amount}</p>
      <p className={styles.note}>{note}</p>
      <ul>
        {(isOpen ? all : all.slice(0, firstShown)).map((one) => (
          <li key={one.key} className={styles.line}>
            {render(one)}
          </li>
        ))}
      </ul>
      {!isOpen && all.length > firstShown && (
        <Button size="s" aria-label={t`Show all: ${title}`} onClick={() => setIsOpen(true)}>
          {t`Show all`}
        </Button>
      )}
    </section>
  );
}

function HideButton({ suggestion: { key }, name }: { suggestion: { key: string }; name: string }) {
  const { t } = useLingui();
  const hide = useHideSuggestion();
  return (
    <Button
      size="s"
      kind="quiet"
      className={styles.hide}
      icon={<IconEyeOff aria-hidden />}
      aria-label={t`Hide: ${name}`}
      onClick={() => hide(key)}
    >
      {t`Hide`}
    </Button>
  );
}

type SameVideos = Suggestions['same_videos']['data'][number];
type Copy = SameVideos['videos'][number];

/** What the first copy of a video has more of than the second. */
function BestBadge({ videos: [best, second] }: { videos: Copy[] }) {
  if (!best || !second) return null;
  if (best.height > second.height)
    return (
      <Badge>
        <Trans>Better picture</Trans>
      </Badge>
    );
  if (best.media_size > second.media_size)
    return (
      <Badge>
        <Trans>Larger file</Trans>
      </Badge>
    );
  return null;
}

/** The copies of a video, each with a link to compare it and a button that asks before it is deleted. */
function SameVideo({ group }: { group: SameVideos }) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const [deleted, setDeleted] = useState<Copy>();
  const { videos, media_size: bytes, identical } = group;
  const { title } = videos[0]!;
  const size = sizeText(bytes, unit);
  return (
    <div className={styles.group}>
      <div className={styles.head}>
        <div>
          <p>
            <bdi>{title}</bdi>
          </p>
          <p className={`${styles.sum} number`}>
            {identical && (
              <>
                <Trans>Identical files</Trans> ·{' '}
              </>
            )}
            <strong>
              <Trans>{size} if only the first is kept</Trans>
            </strong>
          </p>
        </div>
        <HideButton suggestion={group} name={title} />
      </div>
      <ul>
        {videos.map((video, place) => {
          const { youtube_id: id, site, channel_name: channel, height, media_size } = video;
          const words = [site, channel, ...(height > 0 ? [t`${height}p`] : []), sizeText(media_size, unit)].join(' · ');
          return (
            <li key={id} className={styles.copy}>
              <div>
                <Link to={pathOfVideo(video)} aria-label={`${title}: ${words}`}>
                  <bdi>{words}</bdi>
                </Link>
                {place === 0 && <BestBadge videos={videos} />}
              </div>
              <Button
                size="s"
                icon={<IconTrash aria-hidden />}
                aria-label={t`Delete ${title}: ${words}`}
                onClick={() => setDeleted(video)}
              >
                {t`Delete…`}
              </Button>
            </li>
          );
        })}
      </ul>
      {deleted && <DeleteVideo video={deleted} onClose={() => setDeleted(undefined)} />}
    </div>
  );
}

/** Suggestions that are more than a list of videos. */
export function MoreSuggestions({ suggestions }: { suggestions: Suggestions }) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const [isOpen, setIsOpen] = useState(false);
  const { same_videos: same, unwatched_channels: channels, copies } = suggestions;
  const copiesName = t`Compatible copies`;
  const sumOf = (text: string, bytes: number) => (
    <>
      {text} · <strong>{sizeText(bytes, unit)}</strong>
    </>
  );
  return (
    <>
      {same.count > 0 && (
        <Kind
          title={t`Possibly the same video`}
          amount={sumOf(plural(same.count, { one: '# video more than once', other: '# videos more than once' }), same.media_size)}
          note={t`Archived from two sites or with two IDs: the same title, and the same length within a second. Compare them before you delete one.`}
          all={same.data}
          render={(group) => <SameVideo group={group} />}
        />
      )}
      {channels.count > 0 && (
        <Kind
          title={t`Channels that no user watches`}
          amount={sumOf(plural(channels.count, { one: '# channel', other: '# channels' }), channels.media_size)}
          note={t`No user has watched or started any of their videos. Counted are those downloaded more than 90 days ago that are not protected, in no custom playlist and still available at the source.`}
          all={channels.data}
          render={(channel) => (
            <>
              <Link
                to={pathOfFilter({
                  channel: channel.channel_id,
                  cleanup: 'unopened',
                  active: true,
                  downloaded_to: channels.downloaded_to,
                  sort: 'mediasize',
                })}
                className={styles.suggestion}
              >
                <bdi>{channel.channel_name}</bdi>
                <span className={`${styles.amount} number`}>{sumOf(videosText(channel.videos), channel.media_size)}</span>
                <IconChevronRight aria-hidden />
              </Link>
              <HideButton suggestion={channel} name={channel.channel_name} />
            </>
          )}
        />
      )}
      {copies && (
        <Kind
          title={copiesName}
          amount={sumOf(plural(copies.count, { one: '# copy', other: '# copies' }), copies.media_size)}
          note={t`Second files in H.264 for devices that do not play the video itself. It is not recorded whether a copy is used. The videos keep their files.`}
          all={[copies]}
          render={(all) => (
            <>
              <Button size="s" icon={<IconTrash aria-hidden />} onClick={() => setIsOpen(true)}>
                {t`Choose copies…`}
              </Button>
              <HideButton suggestion={all} name={copiesName} />
            </>
          )}
        />
      )}
      {isOpen && <CopiesDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}
