import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Settings } from '#contract/settings.ts';
import { settingTexts } from '#web/setting-fields/setting-texts.ts';
import {
  groupsFor,
  pathOfSettings,
  settingAnchor,
  type IndexedField,
  type SettingsSection,
  type SettingsViewer,
} from './settings-pages.ts';

/** Words that find a setting, in addition to its label and help text. */
const settingKeywords: Record<string, MessageDescriptor> = {
  'subscriptions.auto_start': msg`autostart, new uploads`,
  'subscriptions.channel_size': msg`channel page size, back catalogue`,
  'downloads.limit_speed': msg`bandwidth, rate limit`,
  'downloads.sleep_interval': msg`pause, wait, rate limit`,
  'downloads.format': msg`quality, resolution, 4K, 1080p, codec`,
  'downloads.format_sort': msg`codec, H.264, AV1, VP9`,
  'downloads.autodelete_days': msg`cleanup, watched videos`,
  'downloads.player_client': msg`player_client, extractor arguments, mweb, tv, web_safari`,
  'downloads.subtitle': msg`captions`,
  'downloads.subtitle_source': msg`automatic captions`,
  'downloads.subtitle_index': msg`transcript, full-text search, speech`,
  'downloads.comment_index': msg`search comments`,
  'downloads.integrate_sponsorblock': msg`skip sponsors, ads`,
  'downloads.integrate_dearrow': msg`clickbait, titles, thumbnails`,
  'downloads.integrate_ryd': msg`dislikes`,
  'speech.transcribe': msg`speech to text, Whisper`,
  'background.hours': msg`night, schedule`,
  'queue.at_once': msg`concurrent, threads`,
  'queue.reserve': msg`disk full`,
  'queue.quota': msg`S3, bucket, quota, limit`,
  'trash.days': msg`bin, retention`,
  'application.enable_cast': msg`Chromecast, TV`,
  'application.address': msg`URL, domain, reverse proxy, phone, QR code`,
  'application.enable_snapshot': msg`database copy, backup`,
  'rules.keep_newest': msg`retention, limit`,
  'rules.keep_days': msg`retention, cleanup`,
};

const fieldsOf = ({ keys = {}, fields = [] }: SettingsSection): IndexedField[] => [
  ...fields,
  ...Object.entries(keys).flatMap(([section, names]) =>
    names.map((name) => {
      const id = settingAnchor(section, name);
      const { label } = (settingTexts[section as keyof Settings] as Record<string, { label: MessageDescriptor }>)[name]!;
      // The format has a list of presets above its field.
      return {
        id,
        label: id === 'downloads.format' ? msg`Quality` : label,
        ...(settingKeywords[id] && { keywords: settingKeywords[id] }),
      };
    }),
  ),
];

export interface SettingsEntry {
  /** Path with the anchor. */
  to: string;
  label: MessageDescriptor;
  page: MessageDescriptor;
  keywords?: MessageDescriptor | undefined;
}

/** Everything in the settings that can be searched for: pages, sections and fields. */
export function listSettings(viewer: SettingsViewer): SettingsEntry[] {
  const pages = groupsFor(viewer).flatMap((group) => group.pages);
  return pages.flatMap(({ path, name, keywords, sections }) => [
    {
      to: pathOfSettings(path),
      label: name,
      page: name,
      keywords: keywords ?? sections.find(({ title }) => title.id === name.id)?.keywords,
    },
    ...sections.flatMap((section) => [
      // A section with the name of its page is found as the page.
      ...(section.title.id === name.id
        ? []
        : [{ to: pathOfSettings(path, section.id), label: section.title, page: name, keywords: section.keywords }]),
      ...fieldsOf(section).map((field) => ({
        to: pathOfSettings(path, field.id),
        label: field.label,
        page: name,
        keywords: field.keywords,
      })),
    ]),
  ]);
}
