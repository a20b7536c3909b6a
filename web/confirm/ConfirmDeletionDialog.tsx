import { Plural, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Confirmation } from '#contract/user.ts';
import { sizeText } from '#web/format/numbers.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import type { ConfirmationRequest } from './confirmation-types.ts';
import { ConfirmationField, isConfirmed } from './confirmation.tsx';
import { useConfig } from '#web/api/account.ts';

/** Confirms a change that will make rules delete many videos. */
export function ConfirmDeletionDialog({
  confirmation,
  attempt,
  done,
  cancel,
}: ConfirmationRequest & { confirmation: Confirmation }) {
  const { t } = useLingui();
  const [typed, setTyped] = useState('');
  const { by, videos, media_size } = confirmation;
  const size = sizeText(media_size, useConfig()?.file_size_unit);
  const retry = useMutation({ mutationFn: () => attempt({ confirm: typed }), onSuccess: done });
  const isReady = isConfirmed(by, typed, videos);
  return (
    <ConfirmDialog
      title={t`Delete videos automatically?`}
      action={<Plural value={videos} one="Save and delete # video" other="Save and delete # videos" />}
      disabled={!isReady}
      isBusy={retry.isPending}
      onConfirm={() => retry.mutate()}
      onClose={cancel}
    >
      <p>
        <Plural
          value={videos}
          one={`# video (${size}) will be deleted the next time the rules run.`}
          other={`# videos (${size}) will be deleted the next time the rules run.`}
        />
      </p>
      <ConfirmationField by={by} videos={videos} typed={typed} onType={setTyped} onEnter={() => isReady && retry.mutate()} />
      {retry.isError && <Callout kind="danger">{retry.error.message}</Callout>}
    </ConfirmDialog>
  );
}
