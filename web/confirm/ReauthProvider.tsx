import { useLingui } from '@lingui/react/macro';
import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import type { Confirmation } from '#contract/user.ts';
import {
  requiredConfirmation,
  requiredReauth,
  type ConfirmationRequest,
  type Attempt,
  type ReauthMethod,
} from './confirmation-types.ts';

// Loaded on demand: rarely needed, but available on every page.
const ConfirmDeletionDialog = lazyComponent(async () => (await import('./ConfirmDeletionDialog.tsx')).ConfirmDeletionDialog);
const ReauthDialog = lazyComponent(async () => (await import('./ReauthDialog.tsx')).ReauthDialog);

const Context = createContext<<T>(attempt: Attempt<T>) => Promise<T>>((attempt) => attempt());

/**
 * Runs a call that the server may want confirmed (large deletions, changes of credentials). In that case the user is asked
 * and the call is repeated with the confirmation.
 */
export const useWithConfirmation = () => useContext(Context);

/** Shows the confirmation dialogs over every page. */
export function ReauthProvider({ children }: { children: ReactNode }) {
  const { t } = useLingui();
  const [request, setRequest] = useState<
    (ConfirmationRequest & { confirmation: Confirmation | null; method: ReauthMethod | null }) | null
  >(null);
  const withConfirmation = useCallback(
    async <T,>(attempt: Attempt<T>): Promise<T> => {
      try {
        return await attempt();
      } catch (error) {
        const [confirmation, method] = [requiredConfirmation(error), requiredReauth(error)];
        if (!confirmation && !method) throw error;
        const { promise, resolve, reject } = Promise.withResolvers<T>();
        setRequest({
          confirmation,
          method,
          attempt,
          done: (result) => resolve(result as T),
          fail: reject,
          cancel: () => reject(new Error(t`Nothing was changed.`)),
        });
        return promise.finally(() => setRequest(null));
      }
    },
    [t],
  );
  return (
    <Context value={withConfirmation}>
      {children}
      {request && (
        <>
          {request.confirmation && <ConfirmDeletionDialog {...request} confirmation={request.confirmation} />}
          {request.method && <ReauthDialog {...request} method={request.method} />}
        </>
      )}
    </Context>
  );
}
