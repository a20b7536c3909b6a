import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconCut, IconHighlight, IconLink, IconListSearch, IconNote, IconX } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { KeyboardEvent, Ref } from 'react';
import { Link } from 'react-router';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';
import { invalidateTopics } from '#web/api/client.ts';
import { pathOfSimilarMoments } from '#web/api/paths.ts';
import { isIndexedQuery } from '#web/api/queries/meaning.ts';
import { rangeText } from '#web/format/range-text.ts';
import { linkAt } from '#web/player/commands/actions.ts';
import { beginNote } from '#web/player/state/note-draft.ts';
import { Button, buttonClass, IconButton } from '#web/ui/Button.tsx';
import { useCopy } from '#web/ui/copy.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { useQueryParams } from '#web/ui/use-search-params.ts';
import type { TranscriptCue } from './vtt.ts';
import styles from './Transcript.module.css';

interface Props {
  video: Video;
  lang: string;
  /** The selected lines. */
  lines: TranscriptCue[];
  ref: Ref<HTMLDivElement>;
  onKeyDown(event: KeyboardEvent): void;
  onClip(range: { start: number; end: number }): void;
  onDone(): void;
}

/** Actions for the selected lines. */
export function SelectionBar({ video, lang, lines, ref, onKeyDown, onClip, onDone }: Props) {
  const { t } = useLingui();
  const showToast = useToast();
  const copy = useCopy();
  const [, put] = useQueryParams();
  // Asked only when lines are selected: most archives have no such index.
  const isIndexed = useQuery(isIndexedQuery(video.youtube_id)).data?.is_indexed === true;
  const length = video.player.duration;
  const start = Math.min(lines[0]!.start, length);
  // Captions may end after the video.
  const end = Math.max(start, Math.min(lines.at(-1)!.end, length));
  const highlight = useMutation({
    mutationFn: () =>
      call('POST /api/note/', {
        body: {
          video: video.youtube_id,
          kind: 'highlight',
          start,
          end,
          quote: lines.map(({ text }) => text).join('\n'),
          quote_lang: lang,
        },
      }),
    onSuccess: ({ id }) => {
      onDone();
      const undo = () =>
        void call('DELETE /api/note/:id/', { params: { id: String(id) } }).then(
          () => invalidateTopics('note'),
          (error: Error) => showToast(error.message, { isDanger: true }),
        );
      showToast(t`Highlighted.`, { action: { label: t`Undo`, run: undo } });
      return invalidateTopics('note');
    },
    onError: (error) => showToast(error.message, { isDanger: true }),
  });
  const writeNote = () => {
    beginNote({ wantsFocus: true, range: { start, end } });
    put({ side: 'notes' }, { replace: true, preventScrollReset: true });
  };
  const copyLink = () => {
    onDone();
    void copy(linkAt(video, start, end), t`Link copied.`);
  };
  const time = rangeText(start, end);
  return (
    <div
      ref={ref}
      role="toolbar"
      tabIndex={-1}
      className={styles.selectionBar}
      aria-label={t`Selected lines`}
      onKeyDown={onKeyDown}
      // The selected text stays selected.
      onMouseDown={(event) => event.preventDefault()}
    >
      <p className="number" role="status">
        <Plural value={lines.length} one="# line" other="# lines" />
        <span>{time}</span>
      </p>
      <div className={styles.selectionActions}>
        <Button
          size="s"
          kind="primary"
          icon={<IconHighlight aria-hidden />}
          isBusy={highlight.isPending}
          onClick={() => highlight.mutate()}
        >
          <Trans context="verb">Highlight</Trans>
        </Button>
        <Button size="s" icon={<IconNote aria-hidden />} onClick={writeNote}>
          <Trans>Note</Trans>
        </Button>
        <Button size="s" icon={<IconCut aria-hidden />} onClick={() => onClip({ start, end })}>
          <Trans>Clip</Trans>
        </Button>
        <Button size="s" icon={<IconLink aria-hidden />} onClick={copyLink}>
          <Trans>Copy link</Trans>
        </Button>
        {isIndexed && (
          <Link className={buttonClass('plain', 's')} to={pathOfSimilarMoments(video.youtube_id, start)}>
            <IconListSearch aria-hidden />
            <span>
              <Trans>Find similar moments</Trans>
            </span>
          </Link>
        )}
      </div>
      <IconButton label={t`Clear selection`} onClick={onDone}>
        <IconX aria-hidden />
      </IconButton>
    </div>
  );
}
