import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Select } from '#web/ui/Field.tsx';
import { setStored, getStored } from '#web/ui/use-local-storage.ts';
import { backCatalogues, type SubscriptionChoices } from '../../api/queries/channel.ts';

const keptStart = 'reelkeep.subscribe.auto-start';
const keptCatalogue = 'reelkeep.subscribe.back-catalogue';

/** Asks how a new subscription handles new and earlier uploads. The last answer in this browser is the default. */
export function SubscribeDialog({ onSubscribe, onClose }: { onSubscribe(choices: SubscriptionChoices): void; onClose(): void }) {
  const { t } = useLingui();
  const [starts, setStarts] = useState(getStored(keptStart) !== 'false');
  const [catalogue, setCatalogue] = useState(
    () => backCatalogues.find((one) => one === getStored(keptCatalogue)) ?? ('newest' as const),
  );
  return (
    <Dialog title={t`Subscribe`} onClose={onClose}>
      <Select
        label={t`New uploads`}
        value={String(starts)}
        choices={[
          { value: 'true', label: t`Download automatically` },
          { value: 'false', label: t`Only list in the queue` },
        ]}
        onChange={({ target }) => setStarts(target.value === 'true')}
      />
      <Select
        label={t`Earlier uploads`}
        help={t`You can change how new uploads are handled later in the channel or playlist settings.`}
        value={catalogue}
        choices={[
          { value: 'none', label: t`None` },
          { value: 'newest', label: t`Newest 50` },
          { value: 'all', label: t`All` },
        ]}
        onChange={({ target }) => setCatalogue(target.value as (typeof backCatalogues)[number])}
      />
      <DialogActions>
        <Button onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button
          kind="primary"
          onClick={() => {
            setStored(keptStart, String(starts));
            setStored(keptCatalogue, catalogue);
            onSubscribe({ auto_start: starts, back_catalogue: catalogue });
          }}
        >
          <Trans>Subscribe</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}
