import { useEffect, useState } from 'react';
import { call, isLoggedOut } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const LoginAgain = lazyComponent(async () => (await import('./LoginAgain.tsx')).LoginAgain);

/** Opens a login dialog when the session expires. The page below keeps its input. */
export function SessionGone() {
  const [isExpired, setIsExpired] = useState(false);
  useEffect(() => {
    const onCacheEvent = ({ type, action }: { type: string; action?: { type: string; error?: unknown } }) => {
      if (type !== 'updated' || action?.type !== 'error' || !isLoggedOut(action.error)) return;
      // The failed response may be older than a new login: check the session again.
      call('GET /api/user/account/', {}).catch((error: unknown) => setIsExpired(isLoggedOut(error)));
    };
    const unsubscribes = [
      queryClient.getQueryCache().subscribe(onCacheEvent as never),
      queryClient.getMutationCache().subscribe(onCacheEvent as never),
    ];
    return () => unsubscribes.forEach((stop) => stop());
  }, []);
  if (!isExpired) return null;
  return <LoginAgain onClose={() => setIsExpired(false)} />;
}
