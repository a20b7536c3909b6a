import { useLingui } from '@lingui/react/macro';
import { useConfig } from '#web/api/account.ts';
import { codecName } from '#web/format/codec-name.ts';
import { dayText } from '#web/format/dates.ts';
import { lengthText, sizeText } from '#web/format/numbers.ts';
import type { Filter } from '#web/api/queries/video-filter.ts';
import type { ExternalFilter } from '../list-view/use-listing.ts';
import { languageName } from '#web/format/language-name.ts';

type Texts = { [K in keyof Filter]-?: (value: NonNullable<Filter[K]>) => string };

/** Text of each filter. Those that identify a list have none, because their page names them. */
export function useFilterTexts(): Omit<Texts, 'channel' | 'playlist' | 'sort' | 'order' | ExternalFilter> {
  const { t, i18n } = useLingui();
  const unit = useConfig()?.file_size_unit;
  return {
    type: (type) => ({ videos: t`Videos`, shorts: t`Shorts`, streams: t`Streams` })[type],
    watch: (watch) => ({ watched: t`Watched by you`, unwatched: t`Unwatched`, continue: t`In progress` })[watch],
    cleanup: (use) => ({ watched: t`Watched`, unopened: t`Never opened`, any: t`Cleanup candidates` })[use],
    min_size: (bytes) => t`Larger than ${sizeText(bytes, unit)}`,
    max_size: (bytes) => t`Smaller than ${sizeText(bytes, unit)}`,
    min_duration: (seconds) => t`Longer than ${lengthText(seconds)}`,
    max_duration: (seconds) => t`Shorter than ${lengthText(seconds)}`,
    height: (height) => t`${height}p`,
    from: (day) => t`Published from ${dayText(day)}`,
    to: (day) => t`Published until ${dayText(day)}`,
    artist: (artist) => t`Artist “${artist}”`,
    album: (album) => t`Album “${album}”`,
    tag: (tag) => t`Tag “${tag}”`,
    own_tag: (tag) => t`Your tag “${tag}”`,
    subtitles: (code) => t`Subtitles: ${languageName(code, i18n.locale)}`,
    codec: codecName,
    transcript: (has) => (has ? t`With transcript` : t`Without transcript`),
    damaged: (is) => (is ? t`File check failed` : t`File check not failed`),
    limited: (is) => (is ? t`Best quality not fetched` : t`Best quality fetched`),
    active: (is) => (is ? t`Still available at the source` : t`No longer available at the source`),
    subscribed: (is) => (is ? t`Subscribed` : t`Not subscribed`),
  };
}

/** Returns the function that describes the filters which other pages set. */
export function useExternalFilterWords() {
  const { t } = useLingui();
  return ({ downloaded_from: from, downloaded_to: to, incompatible }: Filter): string[] => [
    ...(from && from === to ? [t`Added on ${dayText(from)}`] : []),
    ...(from && from !== to ? [t`Added on or after ${dayText(from)}`] : []),
    ...(to && from !== to ? [t`Added on or before ${dayText(to)}`] : []),
    ...(incompatible === 'remux' ? [t`Containers iPhones can’t open`] : []),
    ...(incompatible === 'redownload' ? [t`Formats not every iPhone plays`] : []),
  ];
}

/** Returns the function that describes all conditions of a filter. */
export function useFilterWords() {
  const texts = Object.entries(useFilterTexts()) as [keyof Filter, (value: unknown) => string][];
  const externalWords = useExternalFilterWords();
  return (filter: Filter): string[] => [
    ...texts.flatMap(([key, text]) => (filter[key] === undefined ? [] : [text(filter[key])])),
    ...externalWords(filter),
  ];
}
