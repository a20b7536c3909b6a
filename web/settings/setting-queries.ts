import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import { queryOptions, useMutation } from '@tanstack/react-query';
import type { Settings } from '#contract/settings.ts';
import { call, isAbout } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { useConfirming } from '#web/user/Confirming.tsx';
import { settingTexts } from './setting-texts.ts';

export type Value = string | number | boolean | null;

export const settingsQuery = queryOptions({
  queryKey: ['settings', 'all'],
  queryFn: ({ signal }) => call('GET /api/appsettings/config/', { signal }),
});

// Looking at everything takes the server a moment.
export const doctorQuery = queryOptions({
  queryKey: ['settings', 'doctor'],
  queryFn: ({ signal }) => call('GET /api/doctor/', { signal }),
  staleTime: 60_000,
});

/** What a setting is called and what is said of it. */
export function useTexts(section: keyof Settings, name: string) {
  const { t } = useLingui();
  const texts = settingTexts[section] as Record<string, { label: MessageDescriptor; help?: MessageDescriptor }>;
  const { label, help } = texts[name]!;
  return { label: t(label), help: help && t(help) };
}

/** Changes one setting; a refusal is said, and what was there stays. `shown` is what was chosen, also before it is saved. */
export function useSaveSetting(section: keyof Settings, key: string) {
  const { t } = useLingui();
  const say = useToast();
  const { label, help } = useTexts(section, key);
  const confirming = useConfirming();
  const save = useMutation({
    // What was chosen last is what stays, however the answers come.
    scope: { id: 'settings' },
    mutationFn: (value: Value) =>
      confirming((confirm) =>
        call('POST /api/appsettings/config/', { body: { [section]: { [key]: value } } as Partial<Settings>, ...confirm }),
      ),
    onSuccess: async (all) => {
      await queryClient.cancelQueries(settingsQuery); // an answer on its way may still tell what was before
      queryClient.setQueryData(settingsQuery.queryKey, all);
    },
    onError: (error) => {
      const text = isAbout(error, `${section}.${key}`) ? [t`${label}: not understood.`, help].join(' ') : error.message;
      say(text.trim(), { isDanger: true });
    },
  });
  return { ...save, shown: (saved: Value): Value => (save.isPending ? save.variables : saved) };
}
