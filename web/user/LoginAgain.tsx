import { Trans, useLingui } from '@lingui/react/macro';
import { queryClient } from '#web/api/client.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { LoginForm } from './LoginForm.tsx';

/** Login dialog over the current page. */
export function LoginAgain({ onClose }: { onClose(): void }) {
  const { t } = useLingui();
  const onDone = () => {
    onClose();
    void queryClient.invalidateQueries();
  };
  return (
    <Dialog title={t`Log in again`} isModalOnly onClose={onClose}>
      <p>
        <Trans>Your session has expired. Log in to continue; your input is kept.</Trans>
      </p>
      <LoginForm onDone={onDone} />
    </Dialog>
  );
}
