import { Trans, useLingui } from '@lingui/react/macro';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import type { SubscriptionChoices } from '#web/api/queries/channel.ts';
import { keepChoices, SubscriptionFields, useSubscriptionChoices } from './SubscriptionFields.tsx';

/** Asks how a new subscription handles new and earlier uploads. */
export function SubscribeDialog({ onSubscribe, onClose }: { onSubscribe(choices: SubscriptionChoices): void; onClose(): void }) {
  const { t } = useLingui();
  const [choices, setChoices] = useSubscriptionChoices();
  return (
    <ConfirmDialog
      title={t`Subscribe`}
      action={<Trans>Subscribe</Trans>}
      kind="primary"
      onConfirm={() => {
        keepChoices(choices);
        onSubscribe(choices);
      }}
      onClose={onClose}
    >
      <SubscriptionFields
        choices={choices}
        onChange={setChoices}
        help={t`You can change how new uploads are handled later in the channel or playlist settings.`}
      />
    </ConfirmDialog>
  );
}
