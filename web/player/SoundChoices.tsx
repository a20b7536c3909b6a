import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { AudioTrack } from '#contract/rendition.ts';
import type { Video } from '#contract/video.ts';
import { codecName } from '#web/format/codec-name.ts';
import { useChoices } from './choices.ts';
import { pick, sound, toggleSoundOnly } from './sound.ts';
import { hasPicture, hasSeveralSounds, hasSound, trackFor, tracksQuery } from './sound-wish.ts';
import { usePart } from './store.ts';
import styles from './SettingsPanel.module.css';

function TrackChoice({ video }: { video: Video }) {
  const { t, i18n } = useLingui();
  const { data: tracks = [], error } = useQuery(tracksQuery(video));
  const audio = useChoices((choices) => choices.audio);
  const picked = usePart(sound, (now) => now.picked);
  const languages = new Intl.DisplayNames(i18n.locale, { type: 'language', fallback: 'code' });
  const plainName = ({ language, title }: AudioTrack, place: number) => {
    const number = place + 1;
    return [language && languages.of(language), title].filter(Boolean).join(' – ') || t`Sound ${number}`;
  };
  const plain = tracks.map(plainName);
  // Two of one name are told apart by what they are.
  const names = plain.map((name, place) =>
    plain.indexOf(name) === plain.lastIndexOf(name) ? name : `${place + 1}: ${name} (${codecName(tracks[place]!.codec)})`,
  );
  if (error) return <p className={styles.problem}>{error.message}</p>;
  const own = tracks.find((track) => track.is_default);
  return (
    <label className={styles.line}>
      <Trans>Sound</Trans>
      <select
        disabled={tracks.length === 0}
        value={(trackFor(tracks, { audio, picked }) ?? own)?.index ?? ''}
        onChange={({ target }) => {
          const track = tracks.find(({ index }) => index === Number(target.value));
          if (track) pick(track);
        }}
      >
        {tracks.map(({ index }, place) => (
          <option key={index} value={index}>
            {names[place]}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Which of its sounds a video is heard with, and whether it is seen. */
export function SoundChoices({ video }: { video: Video }) {
  const isSoundOnly = useChoices((choices) => choices.isSoundOnly);
  return (
    <>
      {hasSeveralSounds(video) && <TrackChoice video={video} />}
      {hasPicture(video) && hasSound(video) && (
        <label className={styles.line}>
          <Trans>Only the sound</Trans>
          <input type="checkbox" checked={isSoundOnly} onChange={toggleSoundOnly} />
        </label>
      )}
    </>
  );
}
