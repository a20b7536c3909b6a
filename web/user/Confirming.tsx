import { useLingui } from '@lingui/react/macro';
import { createContext, lazy, Suspense, useCallback, useContext, useState, type ReactNode } from 'react';
import type { Confirmation } from '#contract/user.ts';
import { deletionWanted, proofWanted, type Asked, type Attempt, type Proof } from './asked.ts';

// They are asked seldom, and stand on every page.
const ConfirmQuestion = lazy(async () => ({ default: (await import('./ConfirmQuestion.tsx')).ConfirmQuestion }));
const ProofQuestion = lazy(async () => ({ default: (await import('./ProofQuestion.tsx')).ProofQuestion }));

const Context = createContext<<T>(attempt: Attempt<T>) => Promise<T>>((attempt) => attempt());

/**
 * Tries what may delete very much by itself later, or changes what lets people in; where the server wants that confirmed, the person is
 * asked and it is tried again with what they typed.
 */
export const useConfirming = () => useContext(Context);

/** Asks for what has to be confirmed, over whatever page it is. */
export function Confirming({ children }: { children: ReactNode }) {
  const { t } = useLingui();
  const [asked, setAsked] = useState<(Asked & { going: Confirmation | null; proof: Proof | null }) | null>(null);
  const confirming = useCallback(
    async <T,>(attempt: Attempt<T>): Promise<T> => {
      try {
        return await attempt();
      } catch (error) {
        const [going, proof] = [deletionWanted(error), proofWanted(error)];
        if (!going && !proof) throw error;
        const { promise, resolve, reject } = Promise.withResolvers<T>();
        setAsked({
          going,
          proof,
          attempt,
          done: (result) => resolve(result as T),
          fail: reject,
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
          {asked.going && <ConfirmQuestion {...asked} going={asked.going} />}
          {asked.proof && <ProofQuestion {...asked} proof={asked.proof} />}
        </Suspense>
      )}
    </Context>
  );
}
