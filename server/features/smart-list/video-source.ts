import { VideoFilter } from '#contract/video.ts';
import { findChannel } from '../../archive/channel/store.ts';
import { isVisibleTo, type Viewer } from '../../platform/db/schema/playlist-access.ts';
import type { Db } from '../../platform/db/db.ts';
import { findList } from './store.ts';

/** A list of videos that can be read as a feed or a playlist for players. */
export interface VideoSource {
  name: string;
  description: string | null;
  /** Name of the channel, of channels and their playlists. */
  author: string | null;
  filter: VideoFilter;
}

export type SourceType = 'channel' | 'playlist' | 'smart-list' | 'new';

const filterOf = (values: Partial<VideoFilter>) => VideoFilter.parse(values);

/** Returns what a user sees of a source; null if it was deleted or is not visible to them. */
export async function findVideoSource(db: Db, viewer: Viewer, type: SourceType, id: string): Promise<VideoSource | null> {
  if (type === 'new')
    return { name: 'Reelkeep', description: null, author: null, filter: filterOf({ sort: 'downloaded', order: 'desc' }) };
  if (type === 'channel') {
    const channel = await findChannel(db, id);
    return channel
      ? { name: channel.name, description: channel.description, author: channel.name, filter: filterOf({ channel: id }) }
      : null;
  }
  if (type === 'playlist') {
    const playlist = await db
      .selectFrom('playlist')
      .select(['name', 'description', 'channelName'])
      .where('id', '=', id)
      .where(isVisibleTo(viewer))
      .executeTakeFirst();
    return playlist
      ? {
          name: playlist.name,
          description: playlist.description,
          author: playlist.channelName,
          filter: filterOf({ playlist: id }),
        }
      : null;
  }
  const list = /^\d{1,15}$/.test(id) ? await findList(db, { id: viewer.id, hasNotes: true }, Number(id)) : undefined;
  const { data: filter } = VideoFilter.safeParse(list && JSON.parse(list.filter));
  // A shared list of staff: other users cannot open it.
  if (!list || !filter || (filter.cleanup !== undefined && !viewer.isStaff)) return null;
  return { name: list.name, description: null, author: null, filter };
}
