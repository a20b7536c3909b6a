import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { View, ViewContent, ViewLink, ViewPreset } from '#contract/view.ts';

export const presetNames: Record<ViewPreset, MessageDescriptor> = {
  jellyfin: msg`Jellyfin and Emby shows`,
  kodi: msg`Kodi shows`,
  plex: msg`Plex shows, by date`,
  flat: msg`One folder per channel`,
  playlist: msg`Playlists in order`,
  music: msg`Music videos`,
  custom: msg`Custom template`,
};

export const linkNames: Record<ViewLink, MessageDescriptor> = {
  auto: msg`Automatic`,
  hard: msg`Hard links`,
  reflink: msg`Reflinks`,
  symbolic: msg`Symbolic links`,
  copy: msg`Copies`,
};

export const contentNames: Record<ViewContent['type'], MessageDescriptor> = {
  all: msg`All videos`,
  channel: msg`A channel`,
  playlist: msg`A playlist`,
  'smart-list': msg`A smart list`,
};

export const stateNames: Record<View['state'], MessageDescriptor> = {
  new: msg`Not built yet`,
  building: msg`Building…`,
  ready: msg`Up to date`,
  failed: msg`Stopped`,
  deleting: msg`Being removed…`,
};
