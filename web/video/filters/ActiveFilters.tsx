import { useLingui } from '@lingui/react/macro';
import { IconX } from '@tabler/icons-react';
import { Button } from '#web/ui/Button.tsx';
import type { Listing } from '../list-view/use-listing.ts';
import { useExternalFilterWords, useFilterTexts } from './use-filter-words.ts';
import styles from './ListingFilters.module.css';

function Chip({ text, onRemove }: { text: string; onRemove(): void }) {
  const { t } = useLingui();
  return (
    <li>
      <Button size="s" aria-label={t`Remove the filter “${text}”`} onClick={onRemove}>
        {text}
        <IconX aria-hidden />
      </Button>
    </li>
  );
}

/** Active filters of a list as chips that remove them. */
export function ActiveFilters({ listing }: { listing: Listing }) {
  const { t } = useLingui();
  const { filter, activeFilters, externalFilter } = listing;
  const texts = useFilterTexts() as Record<string, (value: unknown) => string>;
  const external = useExternalFilterWords()(externalFilter).join(' · ');
  return (
    <ul className={styles.chips} aria-label={t`Active filters`}>
      {external && <Chip text={external} onRemove={listing.clearExternalFilter} />}
      {activeFilters.map((key) => (
        <Chip key={key} text={texts[key]!(filter[key])} onRemove={() => listing.removeFilter(key)} />
      ))}
    </ul>
  );
}
