import { useLingui } from '@lingui/react/macro';
import type { RefObject } from 'react';
import { MenuCheck, MenuRadioGroup, MenuSeparator, OpenMenu } from '#web/ui/Menu.tsx';
import type { Listing } from './use-listing.ts';
import { useViews } from './use-views.tsx';

/** Menu with the view of a list. */
export function ViewMenu({
  listing,
  anchor,
  onClose,
}: {
  listing: Listing;
  anchor: RefObject<HTMLElement | null>;
  onClose(): void;
}) {
  const { t } = useLingui();
  return (
    <OpenMenu anchor={anchor} onClose={onClose}>
      <MenuRadioGroup label={t`View`} choices={useViews()} value={listing.view} onChange={listing.setView} />
      <MenuSeparator />
      <MenuCheck isOn={listing.isEndless} onChange={listing.setEndless}>
        {t`Infinite scroll`}
      </MenuCheck>
    </OpenMenu>
  );
}
