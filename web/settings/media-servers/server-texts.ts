import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { MediaServer, MediaServerKind, MediaServerReport } from '#contract/media-server.ts';

/** Names of products; not translated. */
export const kindNames: Record<MediaServerKind, string> = { jellyfin: 'Jellyfin', emby: 'Emby', plex: 'Plex', kodi: 'Kodi' };

export const tokenHelp: Record<MediaServerKind, MessageDescriptor> = {
  jellyfin: msg`An API key from the dashboard of the server`,
  emby: msg`An API key from the settings of the server`,
  plex: msg`The X-Plex-Token of the owner`,
  kodi: msg`User name and password as user:password, from “Services → Control” in the settings of Kodi. “Allow remote control via HTTP” must be on.`,
};

export const addressExample: Record<MediaServerKind, string> = {
  jellyfin: 'http://192.168.1.10:8096',
  emby: 'http://192.168.1.10:8096',
  plex: 'http://192.168.1.10:32400',
  kodi: 'http://192.168.1.10:8080',
};

export const stateNames: Record<MediaServer['state'], MessageDescriptor> = {
  new: msg`Not tested yet`,
  ready: msg`Connected`,
  retrying: msg`Retrying`,
  stopped: msg`Stopped`,
  rejected: msg`Token rejected`,
};

export const lineNames: Record<MediaServerReport['lines'][number]['kind'], MessageDescriptor> = {
  here: msg`Here`,
  there: msg`On the server`,
  playlist: msg`Playlist`,
  problem: msg`Problem`,
};
