import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import type { SubscriptionChoices } from '#web/api/queries/channel.ts';
import { keepChoices, SubscriptionFields, useSubscriptionChoices } from './SubscriptionFields.tsx';

/** Asks how a new subscription handles new and earlier uploads. */
export function SubscribeDialog({ onSubscribe, onClose }: { onSubscribe(choices: SubscriptionChoices): void; onClose(): void }) {
  const { t } = useLingui();
  const [choices, setChoices] = useSubscriptionChoices();
  return (
    <Dialog title={t`Subscribe`} onClose={onClose}>
      <SubscriptionFields
        choices={choices}
        onChange={setChoices}
        help={t`You can change how new uploads are handled later in the channel or playlist settings.`}
      />
      <DialogActions>
        <Button onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button
          kind="primary"
          onClick={() => {
            keepChoices(choices);
            onSubscribe(choices);
          }}
        >
          <Trans>Subscribe</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}
