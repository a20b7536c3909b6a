import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Select } from '#web/ui/Field.tsx';
import { getStored, setStored } from '#web/ui/use-local-storage.ts';
import { backCatalogues, type SubscriptionChoices } from '#web/api/queries/channel.ts';

const keptStart = 'reelkeep.subscribe.auto-start';
const keptCatalogue = 'reelkeep.subscribe.back-catalogue';

/** Options of a new subscription. The last ones that were used in this browser are the default. */
export const useSubscriptionChoices = () =>
  useState<SubscriptionChoices>(() => ({
    auto_start: getStored(keptStart) !== 'false',
    back_catalogue: backCatalogues.find((one) => one === getStored(keptCatalogue)) ?? 'newest',
  }));

/** Makes the options the default of the next subscription. */
export function keepChoices({ auto_start: starts, back_catalogue: catalogue }: SubscriptionChoices) {
  setStored(keptStart, String(starts));
  setStored(keptCatalogue, catalogue);
}

/** Fields for how a new subscription handles new and earlier uploads. */
export function SubscriptionFields({
  choices,
  onChange,
  help,
}: {
  choices: SubscriptionChoices;
  onChange(choices: SubscriptionChoices): void;
  help?: string;
}) {
  const { t } = useLingui();
  return (
    <>
      <Select
        label={t`New uploads`}
        value={String(choices.auto_start)}
        choices={[
          { value: 'true', label: t`Download automatically` },
          { value: 'false', label: t`Only list in the queue` },
        ]}
        onChange={({ target }) => onChange({ ...choices, auto_start: target.value === 'true' })}
      />
      <Select
        label={t`Earlier uploads`}
        help={help}
        value={choices.back_catalogue}
        choices={[
          { value: 'none', label: t`None` },
          { value: 'newest', label: t`Newest 50` },
          { value: 'all', label: t`All` },
        ]}
        onChange={({ target }) => onChange({ ...choices, back_catalogue: target.value as SubscriptionChoices['back_catalogue'] })}
      />
    </>
  );
}
