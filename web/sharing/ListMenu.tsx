import { useLingui } from '@lingui/react/macro';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { Menu } from '#web/ui/Menu.tsx';
import { ListDialog, ListItems, type SharingDialog } from './ListItems.tsx';
import type { M3uList } from './use-player-links.ts';

/** Menu of a channel or smart list for podcast apps and players. */
export function ListMenu({ list, name }: { list: M3uList; name: string }) {
  const { t } = useLingui();
  const [dialog, setDialog] = useState<SharingDialog>();
  return (
    <>
      <Menu trigger={<Button icon={<IconDots aria-hidden />} aria-label={t`More`} title={t`More`} />}>
        <ListItems list={list} onDialog={setDialog} />
      </Menu>
      {dialog && <ListDialog list={list} name={name} dialog={dialog} onClose={() => setDialog(undefined)} />}
    </>
  );
}
