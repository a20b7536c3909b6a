import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { call, isLoggedOut } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { LoginForm } from './LoginForm.tsx';

/** When the session runs out while somebody is at work: a login over the page, which keeps everything that was typed. */
export function SessionGone() {
  const { t } = useLingui();
  const [isGone, setIsGone] = useState(false);
  useEffect(() => {
    const look = ({ type, action }: { type: string; action?: { type: string; error?: unknown } }) => {
      if (type !== 'updated' || action?.type !== 'error' || !isLoggedOut(action.error)) return;
      // An answer may be late, and somebody have logged in meanwhile: it is asked once more.
      call('GET /api/user/account/', {}).catch((error: unknown) => setIsGone(isLoggedOut(error)));
    };
    const stops = [queryClient.getQueryCache().subscribe(look as never), queryClient.getMutationCache().subscribe(look as never)];
    return () => stops.forEach((stop) => stop());
  }, []);
  if (!isGone) return null;
  return (
    <Dialog title={t`Log in again`} isFirm onClose={() => setIsGone(false)}>
      <p>
        <Trans>Your session has run out. Log in, and go on where you were: what you typed is still there.</Trans>
      </p>
      <LoginForm
        onDone={() => {
          setIsGone(false);
          void queryClient.invalidateQueries();
        }}
      />
    </Dialog>
  );
}
