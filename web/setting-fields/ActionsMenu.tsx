import { useLingui } from '@lingui/react/macro';
import { IconDotsVertical } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { IconButton } from '#web/ui/Button.tsx';
import { Menu } from '#web/ui/Menu.tsx';

/** Menu with the actions for an entry. */
export function ActionsMenu({ name, children }: { name: string; children: ReactNode }) {
  const { t } = useLingui();
  return (
    <Menu
      trigger={
        <IconButton label={t`Actions for ${name}`}>
          <IconDotsVertical aria-hidden />
        </IconButton>
      }
    >
      {children}
    </Menu>
  );
}
