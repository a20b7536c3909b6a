import { useLingui } from '@lingui/react/macro';
import { createContext, lazy, Suspense, useCallback, useContext, useState, type ReactNode } from 'react';
import type { Confirmation } from '#contract/user.ts';
import { ApiError } from '#web/api/call.ts';
import type { Asked, Attempt } from './ConfirmQuestion.tsx';

// It is asked seldom, and stands on every page.
const ConfirmQuestion = lazy(async () => ({ default: (await import('./ConfirmQuestion.tsx')).ConfirmQuestion }));

/** What a refusal says has to be confirmed; null when it is another one. */
const goingOf = (error: unknown) =>
  error instanceof ApiError && error.status === 400 ? ((error.body as { confirm?: Confirmation } | null)?.confirm ?? null) : null;

const Context = createContext<<T>(attempt: Attempt<T>) => Promise<T>>((attempt) => attempt());

/**
 * Tries to keep something that may delete very much by itself later; where the server wants that confirmed, the person is asked
 * and it is tried again with what they typed.
 */
export const useConfirming = () => useContext(Context);

/** Asks for what has to be confirmed, over whatever page it is. */
export function Confirming({ children }: { children: ReactNode }) {
  const { t } = useLingui();
  const [asked, setAsked] = useState<Asked | null>(null);
  const confirming = useCallback(
    async <T,>(attempt: Attempt<T>): Promise<T> => {
      try {
        return await attempt();
      } catch (error) {
        const going = goingOf(error);
        if (!going) throw error;
        const { promise, resolve, reject } = Promise.withResolvers<T>();
        setAsked({
          going,
          attempt,
          done: (result) => resolve(result as T),
          cancel: () => reject(new Error(t`Nothing was changed.`)),
        });
        return promise.finally(() => setAsked(null));
      }
    },
    [t],
  );
  return (
    <Context value={confirming}>
      {children}
      {asked && (
        <Suspense>
          <ConfirmQuestion {...asked} />
        </Suspense>
      )}
    </Context>
  );
}
