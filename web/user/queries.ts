import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import type { UserConfig } from '#contract/user.ts';
import { ApiError, call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { useToast } from '#web/ui/toasts.tsx';

/** Who is logged in; fails with 403 when nobody is. */
export const accountQuery = queryOptions({
  queryKey: ['user', 'account'],
  queryFn: ({ signal }) => call('GET /api/user/account/', { signal }),
  staleTime: 5 * 60_000,
});

const configQuery = queryOptions({
  queryKey: ['user', 'me'],
  queryFn: ({ signal }) => call('GET /api/user/me/', { signal }),
  staleTime: 5 * 60_000,
});

/** The person's own settings; undefined until they are known. */
export const useConfig = () => useQuery(configQuery).data;

/** Whether the person wants to be told what settings are for; as long as that is not known they are. */
export const useShowsHelp = () => useConfig()?.show_help_text ?? true;

/** Which account it is; undefined until that is known. */
export const useAccountId = () => useQuery(accountQuery).data?.id;

export const useIsStaff = () => useQuery(accountQuery).data?.is_staff ?? false;

const saving = ['user', 'config'];

/** Changes some of the person's settings: seen at once, saved one after the other, taken back when refused, and then said why. */
export function useSaveConfig() {
  const say = useToast();
  return useMutation({
    mutationKey: saving,
    // What was chosen last is what stays, however the answers come.
    scope: { id: 'config' },
    mutationFn: (some: Partial<UserConfig>) => call('POST /api/user/me/', { body: some }),
    onMutate: async (some) => {
      // An answer on its way still tells what was before.
      if (queryClient.getQueryData(configQuery.queryKey)) await queryClient.cancelQueries(configQuery);
      const before = queryClient.getQueryData(configQuery.queryKey);
      if (before) queryClient.setQueryData(configQuery.queryKey, { ...before, ...some });
      return { before };
    },
    onError: (error, _some, context) => {
      queryClient.setQueryData(configQuery.queryKey, context?.before);
      say(error.message, { isDanger: true });
    },
    onSuccess: (config, some) => {
      // Lists come in pages of the person's size; what else they are asked by stands in their own question.
      if (some.page_size !== undefined)
        void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'user' });
      if (queryClient.isMutating({ mutationKey: saving }) > 1) return;
      queryClient.setQueryData(configQuery.queryKey, config);
    },
  });
}

/** Whether it is our server that answers, not well, but so that people can log in and watch. */
const mayLogIn = (error: unknown) =>
  error instanceof ApiError && (error.body as { may_log_in?: boolean } | null)?.may_log_in === true;

export const pingBackend = queryOptions({
  queryKey: ['service', 'health'],
  queryFn: async ({ signal }) => {
    try {
      return await call('GET /api/health/', { signal });
    } catch (error) {
      if (mayLogIn(error)) return 'OK';
      throw error;
    }
  },
  retry: true,
  retryDelay: 1000,
  staleTime: 0,
});

/** In which ways one logs in here. */
export const waysIn = queryOptions({
  queryKey: ['user', 'ways'],
  queryFn: ({ signal }) => call('GET /api/user/ways/', { signal }),
  staleTime: 5 * 60_000,
});

export const logIn = (body: { username: string; password: string; remember_me: 'on' | 'off'; new_password?: string }) =>
  call('POST /api/user/login/', { body });

/** Ends the session; answers where to go on, when a proxy has to be told as well. */
export async function logOut(): Promise<string | null> {
  const { logout_url: elsewhere } = await queryClient.fetchQuery(waysIn);
  await call('POST /api/user/logout/', {});
  return elsewhere;
}
