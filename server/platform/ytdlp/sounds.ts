import { z } from 'zod';
import { LanguageTag } from '#contract/field-types.ts';
import type { SoundKind } from '#contract/rendition.ts';
import type { Settings } from '#contract/settings.ts';
import { isLanguage } from '../lib/is-language.ts';

// A site may offer a video with several sound tracks: the original and dubs, made by people or by a program.

/** A sound track that a site offers. */
export interface OfferedSound {
  formatId: string;
  /** Such as `de` or `pt-BR`. */
  language: string;
  kind: SoundKind;
}

const Format = z.object({
  format_id: z
    .string()
    .max(200)
    .regex(/^\w[\w.-]*$/),
  language: LanguageTag.nullish().catch(null),
  language_preference: z.number().nullish().catch(null),
  vcodec: z.string().nullish().catch(null),
  acodec: z.string().nullish().catch(null),
  ext: z.string().nullish().catch(null),
  tbr: z.number().nullish().catch(null),
  url: z.string().nullish().catch(null),
});
type Format = z.infer<typeof Format>;
const Info = z.object({
  format_id: z.string().nullish().catch(null),
  // Of a download with several sounds: `en+de`.
  language: z
    .string()
    .transform((tags) => tags.split('+').filter((tag) => LanguageTag.safeParse(tag).success))
    .catch([]),
  formats: z.array(Format.nullable().catch(null)).catch([]),
});

// Of addresses of YouTube: `xtags=acont=dubbed-auto:lang=de`. yt-dlp does not tell dubs by people from others.
const kindsByContent: Record<string, SoundKind> = {
  original: 'original',
  dubbed: 'dub',
  'dubbed-auto': 'auto_dub',
  descriptive: 'description',
};
// As yt-dlp marks them.
const kindsByPreference: Record<number, SoundKind> = { 10: 'original', 5: 'default', [-10]: 'description' };

function kindOf({ url, language_preference: preference }: Format): SoundKind {
  const tags = url && URL.canParse(url) ? (new URL(url).searchParams.get('xtags') ?? '') : '';
  const content = /(?:^|:)acont=([\w-]+)/.exec(tags)?.[1];
  return kindsByContent[content ?? ''] ?? kindsByPreference[preference ?? 0] ?? 'unknown';
}

/** Language and kind of a sound track; null if unknown. */
export interface Sound {
  language: string | null;
  kind: SoundKind | null;
}

/** Returns what the site says of the sound of a download, in its info.json. */
export function soundOfDownload(json: unknown): Sound {
  const { format_id: id, language: languages, formats } = Info.parse(json);
  // Of several, nothing says which one is first.
  if (languages.length !== 1) return { language: null, kind: null };
  const parts = (id ?? '').split('+');
  const format = formats.find((one) => one?.language != null && parts.includes(one.format_id));
  return { language: languages[0]!, kind: format ? kindOf(format) : null };
}

/** The sound tracks that a video has. */
export interface PresentSounds {
  languages: string[];
  hasOriginal: boolean;
}

/** What a download has: yt-dlp takes the original. */
const soundsOfInfo = ({ language }: z.infer<typeof Info>): PresentSounds => ({ languages: language, hasOriginal: true });

const languagesOf = (setting: string | null): string[] => [...new Set((setting ?? '').split(',').map((one) => one.trim()))];

/** Returns the wanted languages that a video does not have. */
export const missingLanguages = (setting: string | null, { languages, hasOriginal }: PresentSounds): string[] =>
  languagesOf(setting).filter((wanted) =>
    wanted === 'original' ? !hasOriginal : !languages.some((one) => isLanguage(one, wanted)),
  );

/** Containers of sounds for a media file: those of its family keep its container. */
const endingsFor = (mediaEnding: string) => (mediaEnding === '.webm' ? ['webm', 'm4a'] : ['m4a', 'webm']);

const bitrate = ({ tbr }: Format) => tbr ?? 0;
const byPreference = (endings: string[]) => {
  const rankOf = ({ ext }: Format) => (endings.includes(ext ?? '') ? endings.indexOf(ext!) : endings.length);
  return (a: Format, b: Format) =>
    Number(kindOf(a) === 'auto_dub') - Number(kindOf(b) === 'auto_dub') ||
    Number(a.format_id.endsWith('-drc')) - Number(b.format_id.endsWith('-drc')) ||
    rankOf(a) - rankOf(b) ||
    bitrate(b) - bitrate(a);
};

interface SoundChoice extends Pick<Settings['downloads'], 'audio_languages' | 'audio_auto_dubs'> {
  /** Extension of the media file, with the dot. */
  mediaEnding: string;
  /** What the video has already. Default: what the info.json says of its download. */
  present?: PresentSounds;
}

/**
 * Chooses the sounds to fetch for a video, from an info.json: one of each wanted language that the site offers, and that the video
 * does not have.
 */
export function chooseSounds(
  json: unknown,
  { audio_languages: setting, audio_auto_dubs: withAutoDubs, mediaEnding, present }: SoundChoice,
): OfferedSound[] {
  const info = Info.parse(json);
  const sounds = info.formats.filter(
    (one): one is Format & { language: string } =>
      one?.language != null && one.vcodec === 'none' && one.acodec !== 'none' && kindOf(one) !== 'description',
  );
  const isWanted = (wanted: string) => (one: Format & { language: string }) =>
    wanted === 'original'
      ? kindOf(one) === 'original'
      : isLanguage(one.language, wanted) && (withAutoDubs || kindOf(one) !== 'auto_dub');
  const chosen = missingLanguages(setting, present ?? soundsOfInfo(info)).flatMap((wanted) =>
    sounds
      .filter(isWanted(wanted))
      .toSorted(byPreference(endingsFor(mediaEnding)))
      .slice(0, 1),
  );
  return [...new Set(chosen)].map((one) => ({ formatId: one.format_id, language: one.language, kind: kindOf(one) }));
}
