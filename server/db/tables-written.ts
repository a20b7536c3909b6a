// What is sent of videos and playlists, as it was written; rows look as tables.ts says. All of it can be made again from the rest, and is: triggers take
// away what is true no more, and note in `writingWanted` what is to be written (written-triggers.ts).

type Kind = 'video' | 'channel' | 'playlist';

/** What everybody sees of a video, without its channel. */
export interface WrittenVideoTable {
  videoId: string;
  channelId: string;
  /** What else a version writes of the same rows is another form. */
  form: number;
  written: Uint8Array;
}

/** What everybody sees of a channel, as it stands within each of its videos. */
export interface WrittenChannelTable {
  channelId: string;
  form: number;
  written: Uint8Array;
}

/** The entries of a playlist, unless they are very many. */
export interface WrittenPlaylistTable {
  playlistId: string;
  form: number;
  written: Uint8Array;
}

/** What is to be written, or written anew. */
export interface WritingWantedTable {
  kind: Kind;
  id: string;
}
