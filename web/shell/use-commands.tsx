import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  IconCircleCheck,
  IconDeviceMobile,
  IconInfoCircle,
  IconKeyboard,
  IconListSearch,
  IconNotes,
  IconLogout,
  IconPalette,
  IconPlayerPlay,
  IconSearch,
  IconSettings,
} from '@tabler/icons-react';
import { useMatch, useNavigate } from 'react-router';
import { useStartTask } from '#web/api/queries/download.ts';
import { smartLists } from '#web/api/queries/all-smart-lists.ts';
import { startableTasks, taskName } from '#web/tasks/task-names.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { useIsStaff, useSaveConfig } from '#web/api/account.ts';
import { useMarkWatched, videoQuery } from '#web/api/queries/video.ts';
import { pathOfList } from '#web/api/paths.ts';
import { useLogOut } from './log-out.ts';
import type { Command } from './palette-order.ts';
import { laterNavItems, navItems } from './nav-items.ts';

/** Commands of the palette that do not depend on the input: pages, lists and actions. */
export function useCommands(onKeys: () => void) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const client = useQueryClient();
  const showToast = useToast();
  const isStaff = useIsStaff();
  const logOut = useLogOut();
  const mark = useMarkWatched();
  const { mutate: save } = useSaveConfig();
  const videoId = useMatch('/video/:videoId/')?.params.videoId;
  const video = videoId ? client.getQueryData(videoQuery(videoId).queryKey) : undefined;
  const start = useStartTask();
  const go = (to: string) => void navigate(to);
  const page = (to: string, label: string, icon: Command['icon']): Command => ({ value: to, label, icon, run: () => go(to) });
  const pages = [
    ...[...navItems, ...laterNavItems]
      .filter((place) => isStaff || !place.isForStaff)
      .map(({ to, name, Icon }) => page(to, t(name), <Icon aria-hidden />)),
    page('/search/', t`Search`, <IconSearch aria-hidden />),
    page(isStaff ? '/settings/application/' : '/settings/user/', t`Settings`, <IconSettings aria-hidden />),
    page('/notes/', t`Notes`, <IconNotes aria-hidden />),
    page('/offline/', t`Offline videos`, <IconDeviceMobile aria-hidden />),
    page('/about/', t`About`, <IconInfoCircle aria-hidden />),
  ];
  const { data: savedLists = [] } = useQuery(smartLists);
  const lists = savedLists.map(({ id, name }) => page(pathOfList(id), name, <IconListSearch aria-hidden />));
  const theme = (name: string, label: string): Command => ({
    value: `theme ${name}`,
    label,
    icon: <IconPalette aria-hidden />,
    run: () => save({ stylesheet: `${name}.css` }),
  });
  const tasks: Command[] = startableTasks.map((name) => {
    const title = taskName(name, name);
    return {
      value: `task ${name}`,
      label: t`Run now: ${title}`,
      icon: <IconPlayerPlay aria-hidden />,
      run: () => start.mutate(name, { onSuccess: () => showToast(t`${title}: started.`) }),
    };
  });
  const actions: Command[] = [
    ...(video
      ? [
          {
            value: 'watched',
            label: video.player.watched ? t`Mark this video as unwatched` : t`Mark this video as watched`,
            icon: <IconCircleCheck aria-hidden />,
            run: () => mark(video, !video.player.watched),
          },
        ]
      : []),
    theme('system', t`Theme: system`),
    theme('dark', t`Theme: dark`),
    theme('light', t`Theme: light`),
    theme('midnight', t`Theme: midnight`),
    theme('matrix', t`Theme: matrix`),
    {
      value: 'own theme',
      label: t`Theme: custom…`,
      icon: <IconPalette aria-hidden />,
      run: () => {
        save({ stylesheet: 'custom.css' });
        go('/settings/user/#custom-css');
      },
    },
    { value: 'keys', label: t`Keyboard shortcuts`, icon: <IconKeyboard aria-hidden />, run: onKeys },
    { value: 'log out', label: t`Log out`, icon: <IconLogout aria-hidden />, run: logOut },
  ];
  return { pages, lists, actions, tasks: isStaff ? tasks : [], go, isStaff };
}
