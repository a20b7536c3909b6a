import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { IconBroadcast, IconChartBar, IconDownload, IconHome, IconPlaylist, IconTrash } from '@tabler/icons-react';
import type { ComponentType } from 'react';

export interface NavItem {
  to: string;
  name: MessageDescriptor;
  Icon: ComponentType<{ 'aria-hidden'?: boolean }>;
  isForStaff?: true;
}

/** Entries of the sidebar above the smart lists, and of the bottom bar of phones. */
export const navItems: NavItem[] = [
  { to: '/', name: msg`Home`, Icon: IconHome },
  { to: '/channel/', name: msg`Channels`, Icon: IconBroadcast },
  { to: '/playlist/', name: msg`Playlists`, Icon: IconPlaylist },
  { to: '/downloads/', name: msg`Downloads`, Icon: IconDownload, isForStaff: true },
];

/** Entries of the sidebar below the smart lists, and of the account menu of phones. */
export const laterNavItems: NavItem[] = [
  { to: '/trash/', name: msg`Trash`, Icon: IconTrash, isForStaff: true },
  { to: '/settings/#dashboard', name: msg`Dashboard`, Icon: IconChartBar },
];
