import { siteOf } from '../ytdlp/info.ts';
import { asObject, asText, NoNotes, type NoteEntry } from './import-note.ts';

/** The name of the file in which ytdl-sub notes what it fetched for a subscription, and how that is called. */
export const ytdlSubFile = /^\.ytdl-sub-(.+)-download-archive\.json$/;

const youtubeId = /^[-\w]{11}$/;
const longestId = 200;
const day = /^(\d{4})-(\d{2})-(\d{2})$/;
const printable = /^\P{Cc}+$/u;

function entryOf(id: string, value: unknown, subscription: string): NoteEntry {
  const entry = asObject(value);
  const extractor = asText(entry?.['extractor']);
  const names = entry?.['file_names'];
  if (!entry || !extractor || !Array.isArray(names) || id.length > longestId || !printable.test(id)) return 'strange';
  const isYoutube = siteOf(extractor) === 'youtube';
  if (isYoutube && !youtubeId.test(id)) return 'strange';
  const uploaded = day.exec(asText(entry['upload_date']) ?? '');
  return {
    names: names.filter((name) => typeof name === 'string'),
    note: {
      by: 'ytdl-sub',
      extractor: isYoutube ? 'Youtube' : extractor,
      id,
      url: isYoutube ? `https://www.youtube.com/watch?v=${id}` : '',
      said: {
        ...(uploaded && { upload_date: uploaded.slice(1).join('') }),
        // Whose video it is it does not tell; what the person called where it came from is the next best.
        uploader: subscription,
        uploader_id: subscription,
      },
      isWhole: false,
    },
  };
}

/** What stands in such a file, video by video. */
export function* entriesOfYtdlSub(json: unknown, subscription: string): Generator<NoteEntry> {
  const list = asObject(json);
  if (!list) throw new NoNotes();
  for (const [id, value] of Object.entries(list)) yield entryOf(id, value, subscription);
}

/** A title without what ytdl-sub writes before it: which episode it is, and the day. */
export const withoutDay = (title: string) => title.replace(/^s\d{4}\.e\d{4,} - /i, '').replace(/^\d{4}-\d{2}-\d{2} - (?=.)/, '');
