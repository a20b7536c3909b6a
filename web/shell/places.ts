import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { IconBroadcast, IconDownload, IconHome, IconPlaylist } from '@tabler/icons-react';
import type { ComponentType } from 'react';

export interface Place {
  to: string;
  name: MessageDescriptor;
  Icon: ComponentType<{ 'aria-hidden'?: boolean }>;
  isForStaff?: true;
}

/** Where the rail leads. */
export const places: Place[] = [
  { to: '/', name: msg`Home`, Icon: IconHome },
  { to: '/channel/', name: msg`Channels`, Icon: IconBroadcast },
  { to: '/playlist/', name: msg`Playlists`, Icon: IconPlaylist },
  { to: '/downloads/', name: msg`Downloads`, Icon: IconDownload, isForStaff: true },
];
