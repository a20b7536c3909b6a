import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  IconCircleCheck,
  IconInfoCircle,
  IconKeyboard,
  IconListSearch,
  IconLogout,
  IconPalette,
  IconPlayerPlay,
  IconRefresh,
  IconSearch,
  IconSettings,
} from '@tabler/icons-react';
import { useMatch, useNavigate } from 'react-router';
import { useStart } from '#web/downloads/queries.ts';
import { smartLists } from '#web/lists/all-lists.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { useIsStaff, useSaveConfig } from '#web/user/queries.ts';
import { useMarkWatched, videoQuery } from '#web/video/queries.ts';
import { pathOfList } from '#web/video/paths.ts';
import { useLogOut } from './log-out.ts';
import type { Command } from './palette-order.ts';
import { places } from './places.ts';

/** What the palette offers whatever is typed: where one can go, and what can be done from where one is. */
export function useCommands(onKeys: () => void) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const client = useQueryClient();
  const say = useToast();
  const isStaff = useIsStaff();
  const logOut = useLogOut();
  const mark = useMarkWatched();
  const { mutate: save } = useSaveConfig();
  const videoId = useMatch('/video/:videoId/')?.params.videoId;
  const video = videoId ? client.getQueryData(videoQuery(videoId).queryKey) : undefined;
  const start = useStart(() => say(t`Started.`));
  const go = (to: string) => void navigate(to);
  const page = (to: string, label: string, icon: Command['icon']): Command => ({ value: to, label, icon, run: () => go(to) });
  const pages = [
    ...places
      .filter((place) => isStaff || !place.isForStaff)
      .map(({ to, name, Icon }) => page(to, t(name), <Icon aria-hidden />)),
    page('/search/', t`Search`, <IconSearch aria-hidden />),
    page('/settings/', t`Settings`, <IconSettings aria-hidden />),
    page('/about/', t`About`, <IconInfoCircle aria-hidden />),
  ];
  const { data: kept = [] } = useQuery(smartLists);
  const lists = kept.map(({ id, name }) => page(pathOfList(id), name, <IconListSearch aria-hidden />));
  const theme = (name: string, label: string): Command => ({
    value: `theme ${name}`,
    label,
    icon: <IconPalette aria-hidden />,
    run: () => save({ stylesheet: `${name}.css` }),
  });
  const actions: Command[] = [
    ...(video
      ? [
          {
            value: 'watched',
            label: video.player.watched ? t`Mark this video as not watched` : t`Mark this video as watched`,
            icon: <IconCircleCheck aria-hidden />,
            run: () => mark(video, !video.player.watched),
          },
        ]
      : []),
    ...(isStaff
      ? [
          {
            value: 'scan',
            label: t`Rescan subscriptions`,
            icon: <IconRefresh aria-hidden />,
            run: () => start.mutate('update_subscribed'),
          },
          {
            value: 'download',
            label: t`Start downloading`,
            icon: <IconPlayerPlay aria-hidden />,
            run: () => start.mutate('download_pending'),
          },
        ]
      : []),
    theme('dark', t`Theme: dark`),
    theme('light', t`Theme: light`),
    theme('midnight', t`Theme: midnight`),
    theme('matrix', t`Theme: matrix`),
    {
      value: 'own theme',
      label: t`Theme: your own …`,
      icon: <IconPalette aria-hidden />,
      run: () => {
        save({ stylesheet: 'custom.css' });
        go('/settings/user/');
      },
    },
    { value: 'keys', label: t`Keys`, icon: <IconKeyboard aria-hidden />, run: onKeys },
    { value: 'log out', label: t`Log out`, icon: <IconLogout aria-hidden />, run: logOut },
  ];
  return { pages, lists, actions, go, isStaff };
}
