import type { AppContext } from '../../platform/context/app-context.ts';
import { withConnection, type Connection, type Kind } from './connection.ts';

/** A user of a server. Without a token, that of the server is used. */
export interface RemotePerson {
  userId: string;
  token: string | null;
}

export interface RemoteUser {
  id: string;
  name: string;
}

export interface Library {
  id: string;
  name: string;
  /** As the server sees them. */
  folders: string[];
  /** Plex: the types of the items to list. */
  itemTypes: number[];
}

/** Watch state of an item. */
export interface RemoteState {
  isWatched: boolean;
  positionSeconds: number;
  /** Epoch seconds. */
  playedAt: number | null;
}

export interface RemoteItem extends RemoteState {
  id: string;
  title: string;
  paths: string[];
  youtubeId: string | null;
  isFavorite: boolean;
}

export interface FolderChange {
  path: string;
  /** Folder of the view, as the server sees it. */
  root: string;
  /** `Metadata`: the path is an NFO file, of which only Kodi has to be told. */
  change: 'Created' | 'Modified' | 'Deleted' | 'Metadata';
}

export interface PlaylistItem {
  entryId: string;
  itemId: string;
}

/** The calls of a media server. All throw MediaServerError. */
export interface MediaServerClient {
  /** Returns the name and version, after a check of the kind and the token. */
  identify(): Promise<{ name: string; version: string }>;
  libraries(): Promise<Library[]>;
  users(): Promise<RemoteUser[]>;
  /** Looks for changes in these folders. */
  refresh(changes: FolderChange[]): Promise<void>;
  /** Lists the items of a library with the watch state of a person, page by page. */
  items(library: Library, person: RemotePerson, pageSize: number): AsyncGenerator<RemoteItem[]>;
  /** Changes the watch state. Returns the state as the server has it afterwards. */
  setState(person: RemotePerson, item: RemoteItem, state: RemoteState): Promise<RemoteState>;
  /** Null: other programs cannot change the playlists of this kind of server. */
  playlists: PlaylistClient | null;
}

export interface PlaylistClient {
  createPlaylist(person: RemotePerson, name: string, itemIds: string[]): Promise<string>;
  /** Returns the entries of a playlist in order; null if it does not exist. */
  playlistItems(person: RemotePerson, id: string): Promise<PlaylistItem[] | null>;
  addItems(person: RemotePerson, id: string, itemIds: string[]): Promise<void>;
  removeItems(person: RemotePerson, id: string, entryIds: string[]): Promise<void>;
  /** Moves an entry to an index, which is behind the entry `after`. */
  moveItem(person: RemotePerson, id: string, entryId: string, to: { index: number; after: string | null }): Promise<void>;
  renamePlaylist(person: RemotePerson, id: string, name: string): Promise<void>;
  /** Has no effect if the playlist does not exist. */
  deletePlaylist(person: RemotePerson, id: string): Promise<void>;
}

export interface ServerAccess {
  kind: Kind;
  address: string;
  token: string;
  signal?: AbortSignal | undefined;
}

/** Each kind is loaded when a server of it is used. */
async function createClient(connection: Connection, access: ServerAccess): Promise<MediaServerClient> {
  const { kind } = access;
  switch (kind) {
    case 'plex':
      return (await import('./plex.ts')).createPlexClient(connection, access);
    case 'kodi':
      return (await import('./kodi.ts')).createKodiClient(connection, access);
    default:
      return (await import('./jellyfin.ts')).createJellyfinClient(connection, { ...access, kind });
  }
}

/** Runs `work` with a client for a server. */
export const withClient = <T>(
  app: Pick<AppContext, 'config'>,
  { kind, address, token, signal }: ServerAccess,
  work: (client: MediaServerClient) => Promise<T>,
): Promise<T> =>
  withConnection(app, { kind, address, signal }, async (connection) =>
    work(await createClient(connection, { kind, address, token, signal })),
  );
