import { Trans, useLingui } from '@lingui/react/macro';
import { queryClient } from '#web/api/client.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { LoginForm } from './LoginForm.tsx';

/** A login over the page. */
export function LoginAgain({ onClose }: { onClose(): void }) {
  const { t } = useLingui();
  const onDone = () => {
    onClose();
    void queryClient.invalidateQueries();
  };
  return (
    <Dialog title={t`Log in again`} isFirm onClose={onClose}>
      <p>
        <Trans>Your session has run out. Log in, and go on where you were: what you typed is still there.</Trans>
      </p>
      <LoginForm onDone={onDone} />
    </Dialog>
  );
}
