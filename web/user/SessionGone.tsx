import { lazy, Suspense, useEffect, useState } from 'react';
import { call, isLoggedOut } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';

const LoginAgain = lazy(async () => ({ default: (await import('./LoginAgain.tsx')).LoginAgain }));

/** When the session runs out while somebody is at work: a login over the page, which keeps everything that was typed. */
export function SessionGone() {
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
    <Suspense>
      <LoginAgain onClose={() => setIsGone(false)} />
    </Suspense>
  );
}
