import { useLingui } from '@lingui/react/macro';
import type { Video } from '#contract/video.ts';
import { languageName } from '#web/format/language-name.ts';

type TrackName = Pick<Video['subtitles'][number], 'lang' | 'name' | 'source' | 'is_generated'>;

/**
 * Returns a function that names a subtitle track. A track that the site names by its language, in English, has the name of the
 * language in that of the page.
 */
export function useTrackLabel() {
  const { t, i18n } = useLingui();
  return ({ lang, name: given, source, is_generated }: TrackName) => {
    const name = given === languageName(lang, 'en') ? languageName(lang, i18n.locale) : given;
    if (is_generated) return t`${name} (generated)`;
    return source === 'auto' ? t`${name} (automatic)` : name;
  };
}
