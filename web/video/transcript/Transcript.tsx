import { Trans, useLingui } from '@lingui/react/macro';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { Video } from '#contract/video.ts';
import { useIsStaff } from '#web/api/account.ts';
import { call } from '#web/api/call.ts';
import { invalidateTopics } from '#web/api/client.ts';
import { useAction } from '#web/confirm/use-action.ts';
import { useTrackLabel } from '#web/player/captions/use-track-label.ts';
import { preferences } from '#web/player/state/player-preferences.ts';
import { leaveTranscript } from '#web/player/state/transcript-focus.ts';
import { useQueryParams } from '#web/ui/use-search-params.ts';
import { Button } from '#web/ui/Button.tsx';
import { Select } from '#web/ui/Field.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { Menu, MenuItem } from '#web/ui/Menu.tsx';
import { saveFile } from '#web/ui/save-file.ts';
import { TranscriptLines } from './TranscriptLines.tsx';
import { useTranscriptLines } from './use-transcript.ts';
import { formatSrt, formatText } from './vtt.ts';
import styles from './Transcript.module.css';

/** Returns the language of the captions, of the browser, or the first one. */
function defaultTrack({ subtitles }: Video): string {
  const wanted = [preferences().captions, ...navigator.languages, ...navigator.languages.map((tag) => tag.slice(0, 2))];
  const found = wanted.map((lang) => subtitles.find((one) => one.lang === lang)).find(Boolean);
  return (found ?? subtitles[0])!.lang;
}

/** Says who wrote the lines; staff can delete them, for example to request them in another language. */
function GeneratedNote({ video, track }: { video: Video; track: Video['subtitles'][number] }) {
  const { t } = useLingui();
  const isStaff = useIsStaff();
  const remove = useAction(
    () => call('DELETE /api/video/:id/transcript/:lang/', { params: { id: video.youtube_id, lang: track.lang } }),
    { onSuccess: () => invalidateTopics('video') },
  );
  const generator = track.generator ?? t`a speech model`;
  return (
    <div className={styles.generated}>
      <Trans>Written by {generator}. It can have errors.</Trans>
      {isStaff && (
        <Button kind="quiet" size="s" isBusy={remove.isPending} onClick={() => remove.mutate()}>
          <Trans>Delete transcript</Trans>
        </Button>
      )}
    </div>
  );
}

/** Transcript next to the video. It follows playback, and a click seeks. */
export function Transcript({ video }: { video: Video }) {
  const { t } = useLingui();
  const trackLabel = useTrackLabel();
  const [, put] = useQueryParams();
  const [lang, setLang] = useState(() => defaultTrack(video));
  const track = video.subtitles.find((one) => one.lang === lang) ?? video.subtitles[0]!;
  const query = useTranscriptLines(track.media_url);
  const save = (kind: string, text: string) =>
    saveFile(`${video.youtube_id}.${track.lang}.${kind}`, new Blob([text], { type: 'text/plain;charset=utf-8' }));
  return (
    <section
      className={styles.transcript}
      aria-label={t`Transcript`}
      data-transcript
      onKeyDown={(event) => {
        // Escape clears a filled search field first.
        const isFilled = event.target instanceof HTMLInputElement && event.target.value !== '';
        if (event.key !== 'Escape' || event.defaultPrevented || isFilled) return;
        if (leaveTranscript((words) => put(words, { replace: true, preventScrollReset: true }))) event.preventDefault();
      }}
    >
      <div className={styles.head}>
        <Select
          label={t`Transcript language`}
          isLabelHidden
          value={track.lang}
          onChange={(event) => setLang(event.target.value)}
          choices={video.subtitles.map((one) => ({ value: one.lang, label: trackLabel(one) }))}
        />
        <Menu
          trigger={
            <Button size="s" icon={<IconDownload aria-hidden />}>
              <Trans>Save</Trans>
            </Button>
          }
        >
          <MenuItem onSelect={() => query.data && save('txt', formatText(query.data))}>
            <Trans>Text (.txt)</Trans>
          </MenuItem>
          <MenuItem onSelect={() => query.data && save('srt', formatSrt(query.data))}>
            <Trans>Subtitles (.srt)</Trans>
          </MenuItem>
        </Menu>
      </div>
      {track.is_generated && <GeneratedNote video={video} track={track} />}
      <QueryBoundary query={query} skeleton={420}>
        {(lines) => <TranscriptLines key={track.lang} video={video} lang={track.lang} lines={lines} />}
      </QueryBoundary>
    </section>
  );
}
