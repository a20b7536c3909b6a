import { siteOf } from '../../../platform/ytdlp/info.ts';
import { InvalidMetadataError, type ForeignEntry } from './foreign-metadata.ts';
import { nonBlank, objectOrNull } from '../../../platform/lib/untrusted.ts';

/** Name of ytdl-sub's download archive; the group is the name of the subscription. */
export const ytdlSubFile = /^\.ytdl-sub-(.+)-download-archive\.json$/;

const youtubeId = /^[-\w]{11}$/;
const longestId = 200;
const day = /^(\d{4})-(\d{2})-(\d{2})$/;
const printable = /^\P{Cc}+$/u;

function entryOf(id: string, value: unknown, subscription: string): ForeignEntry {
  const entry = objectOrNull(value);
  const extractor = nonBlank(entry?.['extractor']);
  const names = entry?.['file_names'];
  if (!entry || !extractor || !Array.isArray(names) || id.length > longestId || !printable.test(id)) return 'strange';
  const isYoutube = siteOf(extractor) === 'youtube';
  if (isYoutube && !youtubeId.test(id)) return 'strange';
  const uploaded = day.exec(nonBlank(entry['upload_date']) ?? '');
  return {
    names: names.filter((name) => typeof name === 'string'),
    note: {
      by: 'ytdl-sub',
      extractor: isYoutube ? 'Youtube' : extractor,
      id,
      url: isYoutube ? `https://www.youtube.com/watch?v=${id}` : '',
      fields: {
        ...(uploaded && { upload_date: uploaded.slice(1).join('') }),
        // The file does not contain the channel; the name of the subscription is the best substitute.
        uploader: subscription,
        uploader_id: subscription,
      },
      isWhole: false,
    },
  };
}

/** Lists the videos in a download archive. */
export function* entriesOfYtdlSub(json: unknown, subscription: string): Generator<ForeignEntry> {
  const list = objectOrNull(json);
  if (!list) throw new InvalidMetadataError();
  for (const [id, value] of Object.entries(list)) yield entryOf(id, value, subscription);
}

/** Removes the prefix that ytdl-sub adds to a title: episode number and day. */
export const withoutDate = (title: string) => title.replace(/^s\d{4}\.e\d{4,} - /i, '').replace(/^\d{4}-\d{2}-\d{2} - (?=.)/, '');
