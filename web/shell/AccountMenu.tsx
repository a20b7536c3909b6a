import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import {
  IconDeviceMobile,
  IconInfoCircle,
  IconKeyboard,
  IconLogout,
  IconNotes,
  IconQrcode,
  IconSearch,
  IconUser,
} from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import type { RefObject } from 'react';
import { accountQuery, useIsStaff } from '#web/api/account.ts';
import { MenuItem, MenuSeparator, OpenMenu } from '#web/ui/Menu.tsx';
import { useIsPhone } from '#web/ui/use-media-query.ts';
import { useLogOut } from './log-out.ts';
import { laterNavItems } from './nav-items.ts';
import styles from './AccountMenu.module.css';

/** Menu of the user, in the top bar. On phones also the entries that the bottom bar has no room for. */
export function AccountMenu({
  anchor,
  onClose,
  onKeys,
  onPalette,
  onPhone,
}: {
  anchor: RefObject<HTMLElement | null>;
  onClose(): void;
  onKeys(): void;
  onPalette(): void;
  onPhone(): void;
}) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const isPhone = useIsPhone();
  const isStaff = useIsStaff();
  const logOut = useLogOut();
  const name = useQuery(accountQuery).data?.name ?? '';
  const go = (to: string) => () => void navigate(to);
  return (
    <OpenMenu anchor={anchor} onClose={onClose}>
      <p className={styles.name}>
        <bdi>{name}</bdi>
      </p>
      <MenuSeparator />
      {isPhone && (
        <>
          {laterNavItems
            .filter(({ isForStaff }) => isStaff || !isForStaff)
            .map(({ to, name: label, Icon }) => (
              <MenuItem key={to} icon={<Icon aria-hidden />} onSelect={go(to)}>
                {t(label)}
              </MenuItem>
            ))}
          <MenuItem icon={<IconSearch aria-hidden />} onSelect={onPalette}>
            <Trans>Commands</Trans>
          </MenuItem>
          <MenuSeparator />
        </>
      )}
      <MenuItem icon={<IconUser aria-hidden />} onSelect={go('/settings/user/')}>
        <Trans>My settings</Trans>
      </MenuItem>
      <MenuItem icon={<IconDeviceMobile aria-hidden />} onSelect={go('/offline/')}>
        <Trans>Offline videos</Trans>
      </MenuItem>
      <MenuItem icon={<IconNotes aria-hidden />} onSelect={go('/notes/')}>
        <Trans>Notes</Trans>
      </MenuItem>
      {!isPhone && (
        <>
          <MenuItem icon={<IconQrcode aria-hidden />} onSelect={onPhone}>
            <Trans>Open on a phone…</Trans>
          </MenuItem>
          <MenuItem icon={<IconKeyboard aria-hidden />} onSelect={onKeys}>
            <Trans>Keyboard shortcuts</Trans>
          </MenuItem>
        </>
      )}
      <MenuItem icon={<IconInfoCircle aria-hidden />} onSelect={go('/about/')}>
        <Trans>About</Trans>
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<IconLogout aria-hidden />} onSelect={logOut}>
        <Trans>Log out</Trans>
      </MenuItem>
    </OpenMenu>
  );
}
