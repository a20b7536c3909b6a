import { Trans } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { exactText, lengthText } from '#web/format/numbers.ts';
import { Button } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { ActionRow } from '#web/ui/ActionRow.tsx';

/** Creates a PO token with the saved settings and shows its length and age. */
export function PoTokenTest({ isOff }: { isOff: boolean }) {
  const test = useMutation({ mutationFn: () => call('POST /api/appsettings/potoken/test/', {}) });
  if (isOff) return null;
  const length = exactText(test.data?.length ?? 0);
  const age = lengthText(test.data?.age ?? 0);
  const time = lengthText(Math.ceil((test.data?.milliseconds ?? 0) / 1000));
  return (
    <>
      <ActionRow>
        <Button isBusy={test.isPending} onClick={() => test.mutate()}>
          <Trans>Test PO tokens</Trans>
        </Button>
      </ActionRow>
      {test.data && (
        <Callout kind="info">
          <Trans>
            Received a token of {length} characters, {age} old, within {time}.
          </Trans>
        </Callout>
      )}
      {test.error && <Callout kind="danger">{test.error.message}</Callout>}
    </>
  );
}
