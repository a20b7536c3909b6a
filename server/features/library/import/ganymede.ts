import { basename } from 'node:path';
import type { ForeignMetadata } from './foreign-metadata.ts';
import { nonBlank, objectOrNull } from '../../../platform/lib/untrusted.ts';

// <date>-<id>-<type>-<uuid>, Ganymede's default.
const folderName = /^(\d{4})-(\d{2})-(\d{2})-(v?\d{5,20})-([a-z_]+)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const recordings = new Set(['archive', 'highlight', 'upload']);

/** Base name of a Ganymede video. Its other files have another word instead of `video`. */
export const isGanymedeVideo = /^(.+)-video$/;

interface Read {
  id: string | null;
  type: string | null;
  title: string | null;
  description: string | null;
  name: string | null;
  login: string | null;
  at: number | null;
  seconds: number | null;
}

const nothing: Read = { id: null, type: null, title: null, description: null, name: null, login: null, at: null, seconds: null };

function asId(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : nonBlank(value);
  return /^v?(\d{5,20})$/.exec(text ?? '')?.[1] ?? null;
}

function asTime(value: unknown): number | null {
  const at =
    typeof value === 'number'
      ? value / (value > 1e11 ? 1000 : 1)
      : /^\d{4}-\d{2}-\d{2}/.test(nonBlank(value) ?? '')
        ? Date.parse(value as string) / 1000
        : NaN;
  return at > 978_307_200 && at < 4_102_444_800 ? Math.floor(at) : null; // programs write a date before 2001 for "none"
}

/** Parses seconds, or a Twitch duration such as 3h8m33s. */
function asSeconds(value: unknown): number | null {
  if (typeof value === 'number') return value > 0 ? value : null;
  const [whole, hours, minutes, seconds] = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(nonBlank(value) ?? '-') ?? [];
  return whole ? Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0) : null;
}

const asName = (value: unknown) => (/^\d*$/.test(nonBlank(value) ?? '') ? null : nonBlank(value)); // a number is not a name
const asLogin = (value: unknown) => /^[a-z0-9_]{3,25}$/i.exec(nonBlank(value) ?? '')?.[0].toLowerCase() ?? null;

/**
 * Reads a Ganymede info file. Its layout depends on the version and on the kind of recording, so each field is searched under
 * Twitch's own names for it; missing fields are null.
 */
export function readGanymede(json: unknown): Read {
  const whole = objectOrNull(json) ?? {};
  const inside = ['video', 'vod', 'stream', 'data', 'info']
    .map((name) => objectOrNull(whole[name]))
    .filter((one) => one !== null);
  const place = [whole, ...inside].find((one) => nonBlank(one['title'])) ?? whole;
  const owner = ['user', 'channel', 'owner', 'streamer']
    .map((name) => objectOrNull(place[name]) ?? objectOrNull(whole[name]))
    .find(Boolean);
  const first = <T>(read: (value: unknown) => T | null, ...names: string[]) =>
    names.map((name) => read(place[name])).find((value) => value !== null) ?? null;
  const address = /twitch\.tv\/videos\/(\d{5,20})/.exec(nonBlank(place['url']) ?? '')?.[1];
  const name =
    first(asName, 'user_name', 'display_name', 'channel', 'user') ?? asName(owner?.['display_name'] ?? owner?.['name']);
  return {
    id: address ?? first(asId, 'video_id', 'id', 'stream_id'),
    type: address ? 'archive' : nonBlank(place['type']),
    title: nonBlank(place['title']),
    description: nonBlank(place['description']),
    name,
    login: first(asLogin, 'user_login', 'login') ?? asLogin(owner?.['login'] ?? owner?.['name']) ?? asLogin(name),
    at: first(asTime, 'published_at', 'created_at', 'started_at'),
    seconds: first(asSeconds, 'duration', 'length'),
  };
}

/** Builds metadata from Ganymede's folder names and, if readable, its info file. */
export function ganymedeMetadata({ path, folder }: { path: string; folder: string }, file: Read | null): ForeignMetadata | null {
  const [, year, month, date, placed, placedType] = folderName.exec(basename(folder)) ?? [];
  const read = file ?? nothing;
  const id = read.id ?? asId(placed);
  if (!id) return null;
  const type = (read.type ?? placedType ?? '').toLowerCase();
  const isRecording = recordings.has(type);
  const channel = (placed && path.split('/').at(-3)) || null; // <channel>/<date>-<id>-…/<file>
  const login = read.login ?? asLogin(channel);
  return {
    by: file?.id ? 'ganymede' : 'ganymede-folder',
    extractor: isRecording ? 'TwitchVod' : 'TwitchStream',
    id: isRecording ? `v${id}` : id,
    // A finished stream has no page, and Twitch may use its number for another video.
    url: isRecording ? `https://www.twitch.tv/videos/${id}` : '',
    fields: {
      ...(read.title && { title: read.title }),
      ...(read.description && { description: read.description }),
      ...((read.name ?? channel) && { uploader: read.name ?? channel }),
      ...(login && { uploader_id: login, uploader_url: `https://www.twitch.tv/${login}` }),
      ...(read.at ? { timestamp: read.at } : year && { upload_date: `${year}${month}${date}` }),
      ...(read.seconds && { duration: read.seconds }),
      was_live: type !== 'highlight' && type !== 'upload',
    },
    isWhole: read.title !== null && login !== null,
  };
}
