import { type Answer, notFound, text } from '../answer.ts';
import type { Cue, SubtitleTrack, Video } from '../catalogue.ts';

/** Returns the player's list of subtitle tracks. */
export function captionTracks(video: Video): object[] {
  return video.subtitles.map((track) => {
    const query = new URLSearchParams({
      v: video.id,
      lang: track.language,
      ...(track.automatic ? { kind: 'asr' } : {}),
      ...(track.wantsPoToken ? { exp: 'xpe' } : {}),
    });
    return {
      baseUrl: `https://www.youtube.com/api/timedtext?${query}`,
      name: { simpleText: track.automatic ? `${track.name} (auto-generated)` : track.name },
      vssId: `${track.automatic ? 'a' : ''}.${track.language}`,
      languageCode: track.language,
      isTranslatable: true,
      ...(track.automatic ? { kind: 'asr' } : {}),
    };
  });
}

/** Tracks written by people have one segment per cue; automatic ones have one per word, each with an offset. */
function json3(track: SubtitleTrack): string {
  const events = track.cues.map((cue) => {
    const lengthMs = Math.round((cue.endSeconds - cue.startSeconds) * 1000);
    const words = track.automatic ? cue.text.split(/(?= )/) : [cue.text];
    return {
      tStartMs: Math.round(cue.startSeconds * 1000),
      dDurationMs: lengthMs,
      segs: words.map((utf8, index) =>
        index === 0 ? { utf8 } : { utf8, tOffsetMs: Math.round((lengthMs * index) / words.length) },
      ),
    };
  });
  return JSON.stringify({ wireMagic: 'pb3', events });
}

function stamp(seconds: number): string {
  return new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23);
}

function vtt(cues: Cue[]): string {
  const blocks = cues.map((cue) => `${stamp(cue.startSeconds)} --> ${stamp(cue.endSeconds)}\n${cue.text}`);
  return `WEBVTT\nKind: captions\n\n${blocks.join('\n\n')}\n`;
}

function srt(cues: Cue[]): string {
  const blocks = cues.map((cue, index) => {
    const [from, to] = [cue.startSeconds, cue.endSeconds].map((seconds) => stamp(seconds).replace('.', ','));
    return `${index + 1}\n${from} --> ${to}\n${cue.text}`;
  });
  return `${blocks.join('\n\n')}\n`;
}

/** Returns a track in the format `fmt`; translations (`tlang`) are not translated. */
export function subtitleFile(video: Video | undefined, query: URLSearchParams): Answer {
  const automatic = query.get('kind') === 'asr';
  const track = video?.subtitles.find((each) => each.language === query.get('lang') && each.automatic === automatic);
  if (!track || (track.wantsPoToken && !query.get('pot'))) return notFound();
  const form = query.get('fmt') ?? 'json3';
  if (form === 'vtt') return text(vtt(track.cues), 'text/vtt; charset=utf-8');
  if (form === 'srt') return text(srt(track.cues));
  return form === 'json3' ? text(json3(track), 'application/json; charset=utf-8') : notFound();
}
