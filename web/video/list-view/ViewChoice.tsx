import { useLingui } from '@lingui/react/macro';
import { SegmentedControl } from '#web/ui/SegmentedControl.tsx';
import { IconButton } from '#web/ui/Button.tsx';
import { LazyPopup } from '#web/ui/LazyPopup.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { useViews } from './use-views.tsx';
import type { ViewStyle } from './list-props.ts';
import type { Listing } from './use-listing.ts';

const ViewMenu = lazyComponent(async () => (await import('./ViewMenu.tsx')).ViewMenu);

interface Props {
  value: ViewStyle;
  onChange(view: ViewStyle): void;
  /** Lists without columns to compare have no table view. */
  hasTable?: boolean;
}

export function ViewChoice({ value, onChange, hasTable = true }: Props) {
  const { t } = useLingui();
  const views = useViews().filter((view) => hasTable || view.value !== 'table');
  return <SegmentedControl label={t`View`} choices={views} value={value} onChange={onChange} isCompact />;
}

/** Button of a menu with the view of a list, where the bar has no room for buttons. */
export function ViewButton({ listing }: { listing: Listing }) {
  const { t } = useLingui();
  const views = useViews();
  return (
    <LazyPopup
      button={(props) => (
        <IconButton label={t`View`} {...props}>
          {views.find(({ value }) => value === listing.view)!.icon}
        </IconButton>
      )}
      popup={(props) => <ViewMenu listing={listing} {...props} />}
    />
  );
}
