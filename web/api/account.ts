import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import type { UserConfig } from '#contract/user.ts';
import { ApiError, call } from '#web/api/call.ts';
import { queryClient, refetchAll } from '#web/api/client.ts';
import { useToast } from '#web/ui/toasts.tsx';

/** The current account. Fails with 403 without a session. */
export const accountQuery = queryOptions({
  queryKey: ['user', 'account'],
  queryFn: ({ signal }) => call('GET /api/user/account/', { signal }),
  staleTime: 5 * 60_000,
});

/** Changed settings that wait for the running save. */
let waiting: Partial<UserConfig> = {};

/** Changed settings that are being saved. */
let saving: Partial<UserConfig> = {};

/** The settings as the server last returned them. */
let confirmed: UserConfig | undefined;

/** The settings as the user has chosen them: a response may be older than the latest changes. */
const withChanges = (config: UserConfig): UserConfig => ({ ...config, ...saving, ...waiting });

const configQuery = queryOptions({
  queryKey: ['user', 'me'],
  queryFn: async ({ signal }) => withChanges((confirmed = await call('GET /api/user/me/', { signal }))),
  staleTime: 5 * 60_000,
});

/** The user's settings; undefined while loading. */
export const useConfig = () => useQuery(configQuery).data;

/** Whether help texts are shown; true while loading. */
export const useShowHelp = () => useConfig()?.show_help_text ?? true;

/** Id of the current account; undefined while loading. */
export const useAccountId = () => useQuery(accountQuery).data?.id;

export const useIsStaff = () => useQuery(accountQuery).data?.is_staff ?? false;

/** Whether the user may share with people without an account. */
export const useMayShare = () => useQuery(accountQuery).data?.may_share ?? false;

/** Sends all waiting changes in one request, which also survives leaving the page. */
function saveWaiting() {
  saving = waiting;
  waiting = {};
  return call('POST /api/user/me/', { body: saving, keepalive: true });
}

const isAnyWaiting = () => Object.keys(waiting).length > 0;

globalThis.addEventListener?.('pagehide', () => {
  if (isAnyWaiting()) void saveWaiting();
});

/**
 * Changes user settings optimistically. Saves run one after another, and changes made meanwhile are sent together; a failed save
 * is rolled back with a toast.
 */
export function useSaveConfig() {
  const showToast = useToast();
  return useMutation({
    // Serialized, so that the last choice wins.
    scope: { id: 'config' },
    onMutate: (changes: Partial<UserConfig>) => {
      Object.assign(waiting, changes);
      queryClient.setQueryData(configQuery.queryKey, (known) => known && withChanges(known));
    },
    mutationFn: async () => {
      // An earlier save has sent the change already if nothing waits.
      if (!isAnyWaiting()) return;
      const saved = await saveWaiting().finally(() => (saving = {}));
      // A pending response still has the old values.
      await queryClient.cancelQueries(configQuery);
      confirmed = saved;
      queryClient.setQueryData(configQuery.queryKey, withChanges(saved));
    },
    onError: (error) => {
      if (confirmed) queryClient.setQueryData(configQuery.queryKey, withChanges(confirmed));
      showToast(error.message, { isDanger: true });
    },
    onSuccess: (_none, changes) => {
      // The page size is not part of the query keys, so all lists are refetched.
      if (changes.page_size !== undefined) refetchAll();
      // It may have been requested before the server had saved the change.
      if (changes.home_sections !== undefined) void queryClient.invalidateQueries({ queryKey: ['video', 'home'] });
    },
  });
}

/** Whether the server is unhealthy but still allows login. */
const isLoginPossible = (error: unknown) =>
  error instanceof ApiError && (error.body as { may_log_in?: boolean } | null)?.may_log_in === true;

export const pingQuery = queryOptions({
  queryKey: ['service', 'health'],
  queryFn: async ({ signal }) => {
    try {
      return await call('GET /api/health/', { signal });
    } catch (error) {
      if (isLoginPossible(error)) return 'OK';
      throw error;
    }
  },
  retry: true,
  retryDelay: 1000,
  staleTime: 0,
});

/** The available login methods. */
export const loginMethodsQuery = queryOptions({
  queryKey: ['user', 'ways'],
  queryFn: ({ signal }) => call('GET /api/user/login-methods/', { signal }),
  staleTime: 5 * 60_000,
});

export const logIn = (body: { username: string; password: string; remember_me: 'on' | 'off'; new_password?: string }) =>
  call('POST /api/user/login/', { body });

/** Ends the session. Returns the logout URL of an authenticating proxy, if any. */
export async function logOut(): Promise<string | null> {
  const { logout_url: logoutUrl } = await queryClient.fetchQuery(loginMethodsQuery);
  await call('POST /api/user/logout/', {});
  return logoutUrl;
}
