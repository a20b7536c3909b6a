import { z } from 'zod';
import type { SoundKind } from '#contract/rendition.ts';
import type { Settings } from '#contract/settings.ts';

// A site may offer a video with several sound tracks: the original and dubs, made by people or by a program.

/** A sound track that a site offers. */
export interface OfferedSound {
  formatId: string;
  /** Such as `de` or `pt-BR`. */
  language: string;
  kind: SoundKind;
}

const LanguageTag = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/);
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

/** Whether a language is the wanted one, or a variant of it: `de` also means `de-AT`. */
const isLanguage = (language: string, wanted: string): boolean =>
  `${language}-`.toLowerCase().startsWith(`${wanted}-`.toLowerCase());

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

/** Returns the languages of the setting, without the original, which is always downloaded. */
const languagesOf = (setting: string | null): string[] =>
  [...new Set((setting ?? '').split(',').map((one) => one.trim()))].filter((one) => one !== '' && one !== 'original');

const bitrate = ({ tbr }: Format) => tbr ?? 0;
// m4a plays everywhere.
const byPreference = (a: Format, b: Format) =>
  Number(kindOf(a) === 'auto_dub') - Number(kindOf(b) === 'auto_dub') ||
  Number(a.format_id.endsWith('-drc')) - Number(b.format_id.endsWith('-drc')) ||
  Number(a.ext !== 'm4a') - Number(b.ext !== 'm4a') ||
  bitrate(b) - bitrate(a);

/**
 * Chooses the sounds to fetch besides that of the download, from its info.json: one of each wanted language that the site offers,
 * and that the download does not have.
 */
export function chooseSounds(
  json: unknown,
  { audio_languages: setting, audio_auto_dubs: withAutoDubs }: Pick<Settings['downloads'], 'audio_languages' | 'audio_auto_dubs'>,
): OfferedSound[] {
  const { language: present, formats } = Info.parse(json);
  const sounds = formats.filter(
    (one): one is Format & { language: string } =>
      one?.language != null && one.vcodec === 'none' && one.acodec !== 'none' && kindOf(one) !== 'description',
  );
  return languagesOf(setting).flatMap((wanted) => {
    if (present.some((one) => isLanguage(one, wanted))) return [];
    const [best] = sounds
      .filter((one) => isLanguage(one.language, wanted) && (withAutoDubs || kindOf(one) !== 'auto_dub'))
      .toSorted(byPreference);
    return best ? [{ formatId: best.format_id, language: best.language, kind: kindOf(best) }] : [];
  });
}
