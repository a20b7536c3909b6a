import { Trans, useLingui } from '@lingui/react/macro';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { Video } from '#contract/video.ts';
import { choices } from '#web/player/choices.ts';
import { leaveTranscript } from '#web/player/transcript-way.ts';
import { useAddress } from '#web/ui/address.ts';
import { Button } from '#web/ui/Button.tsx';
import { Select } from '#web/ui/Field.tsx';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Menu, MenuItem } from '#web/ui/Menu.tsx';
import { saveFile } from '#web/ui/save-file.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { TranscriptLines } from './TranscriptLines.tsx';
import { useLines } from './use-transcript.ts';
import { srtOf, textOf } from './vtt.ts';
import styles from './Transcript.module.css';

/** The language that is most likely wanted: that of the captions, of the browser, or the first one there is. */
function likely({ subtitles }: Video): string {
  const wanted = [choices().captions, ...navigator.languages, ...navigator.languages.map((tag) => tag.slice(0, 2))];
  const found = wanted.map((lang) => subtitles.find((one) => one.lang === lang)).find(Boolean);
  return (found ?? subtitles[0])!.lang;
}

/** Everything that is said, beside the video: it goes along, and one goes by it. */
export function Transcript({ video }: { video: Video }) {
  const { t } = useLingui();
  const [, put] = useAddress();
  const [lang, setLang] = useState(() => likely(video));
  const track = video.subtitles.find((one) => one.lang === lang) ?? video.subtitles[0]!;
  const query = useLines(track.media_url);
  const save = (kind: string, text: string) =>
    saveFile(`${video.youtube_id}.${track.lang}.${kind}`, new Blob([text], { type: 'text/plain;charset=utf-8' }));
  return (
    <section
      className={styles.transcript}
      aria-label={t`Transcript`}
      data-transcript
      onKeyDown={(event) => {
        // Of a field that holds something Escape takes that away first.
        const isFilled = event.target instanceof HTMLInputElement && event.target.value !== '';
        if (event.key !== 'Escape' || event.defaultPrevented || isFilled) return;
        if (leaveTranscript((words) => put(words, { replace: true, preventScrollReset: true }))) event.preventDefault();
      }}
    >
      <div className={styles.head}>
        <Select
          label={t`Language of the transcript`}
          isLabelHidden
          value={track.lang}
          onChange={(event) => setLang(event.target.value)}
          choices={video.subtitles.map((one) => ({
            value: one.lang,
            label: one.source === 'auto' ? t`${one.name} (automatic)` : one.name,
          }))}
        />
        <Menu
          trigger={
            <Button size="s" icon={<IconDownload aria-hidden />}>
              <Trans>Save</Trans>
            </Button>
          }
        >
          <MenuItem onSelect={() => query.data && save('txt', textOf(query.data))}>
            <Trans>As text (txt)</Trans>
          </MenuItem>
          <MenuItem onSelect={() => query.data && save('srt', srtOf(query.data))}>
            <Trans>As subtitles (srt)</Trans>
          </MenuItem>
        </Menu>
      </div>
      <Loaded query={query} skeleton={<Skeleton height={420} />}>
        {(lines) => <TranscriptLines key={track.lang} video={video} lang={track.lang} lines={lines} />}
      </Loaded>
    </section>
  );
}
