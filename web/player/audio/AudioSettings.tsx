import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { AudioTrack } from '#contract/rendition.ts';
import type { Video } from '#contract/video.ts';
import { codecName } from '#web/format/codec-name.ts';
import { languageName } from '#web/format/language-name.ts';
import { canRaise } from '../state/raised-volume.ts';
import { evenVolumes, setPreferences, usePreferences } from '../state/player-preferences.ts';
import { pickTrack, audioSource, toggleAudioOnly } from './audio-source.ts';
import { hasPicture, hasMultipleAudioTracks, hasAudio, findAudioTrack, audioTracksQuery } from './pick-audio-track.ts';
import { useStoreValue } from '#web/ui/create-store.ts';
import styles from '../styles/SettingsPanel.module.css';

// Their names say enough.
const unnamedKinds = { default: null, dub: null, unknown: null };

function TrackChoice({ video }: { video: Video }) {
  const { t, i18n } = useLingui();
  const { data: tracks = [], error } = useQuery(audioTracksQuery(video));
  const audio = usePreferences((state) => state.audio);
  const pickedTrack = useStoreValue(audioSource, (now) => now.pickedTrack);
  const plainName = ({ language, title, kind }: AudioTrack, trackIndex: number) => {
    const number = trackIndex + 1;
    const name = [language && languageName(language, i18n.locale), title].filter(Boolean).join(' – ') || t`Audio track ${number}`;
    const what =
      kind && { ...unnamedKinds, original: t`original`, auto_dub: t`automatic`, description: t`audio description` }[kind];
    return what ? `${name} (${what})` : name;
  };
  const plain = tracks.map(plainName);
  // Tracks with the same name are numbered and show their codec.
  const names = plain.map((name, at) =>
    plain.indexOf(name) === plain.lastIndexOf(name) ? name : `${at + 1}: ${name} (${codecName(tracks[at]!.codec)})`,
  );
  if (error) return <p className={styles.error}>{error.message}</p>;
  const own = tracks.find((track) => track.is_default);
  return (
    <label className={styles.row}>
      <Trans>Audio track</Trans>
      <select
        disabled={tracks.length === 0}
        value={(findAudioTrack(tracks, { audio, pickedTrack }) ?? own)?.index ?? ''}
        onChange={({ target }) => {
          const track = tracks.find(({ index }) => index === Number(target.value));
          if (track) pickTrack(track);
        }}
      >
        {tracks.map(({ index }, at) => (
          <option key={index} value={index}>
            {names[at]}
          </option>
        ))}
      </select>
    </label>
  );
}

function EvenVolume() {
  const { t } = useLingui();
  const target = usePreferences((state) => state.evenVolume);
  const raises = usePreferences((state) => state.raisesQuiet);
  const names = { '-14': t`Standard`, '-18': t`Quieter`, '-23': t`Quietest`, '0': t`Off` };
  return (
    <>
      <label className={styles.row}>
        <Trans>Even volume</Trans>
        <select
          value={target}
          onChange={({ target: { value } }) => setPreferences({ evenVolume: evenVolumes.find((one) => String(one) === value)! })}
        >
          {evenVolumes.map((one) => (
            <option key={one} value={one}>
              {names[one]}
            </option>
          ))}
        </select>
      </label>
      {canRaise && target !== 0 && (
        <label className={styles.row}>
          <Trans>Raise quiet videos</Trans>
          <input type="checkbox" checked={raises} onChange={() => setPreferences({ raisesQuiet: !raises })} />
        </label>
      )}
    </>
  );
}

/** Audio track, volume and audio-only settings. */
export function AudioSettings({ video }: { video: Video }) {
  const isSoundOnly = usePreferences((state) => state.isSoundOnly);
  return (
    <>
      {hasMultipleAudioTracks(video) && <TrackChoice video={video} />}
      {video.streams.some(({ lufs }) => lufs !== undefined) && <EvenVolume />}
      {hasPicture(video) && hasAudio(video) && (
        <label className={styles.row}>
          <Trans>Audio only</Trans>
          <input type="checkbox" checked={isSoundOnly} onChange={toggleAudioOnly} />
        </label>
      )}
    </>
  );
}
