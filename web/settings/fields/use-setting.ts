import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import type { Settings } from '#contract/settings.ts';
import { call, isErrorAbout } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { useWithConfirmation } from '#web/user/confirm/ReauthProvider.tsx';
import { settingsQuery } from '../../api/queries/settings.ts';
import { settingTexts } from './setting-texts.ts';

export type SettingValue = string | number | boolean | null;

/** Translated label and help text of a setting. */
export function useSettingTexts(section: keyof Settings, name: string) {
  const { t } = useLingui();
  const texts = settingTexts[section] as Record<string, { label: MessageDescriptor; help?: MessageDescriptor }>;
  const { label, help } = texts[name]!;
  return { label: t(label), help: help && t(help) };
}

/** Saves a setting; errors are shown as toasts. `currentValue` returns the pending value while saving. */
export function useSaveSetting(section: keyof Settings, key: string) {
  const { t } = useLingui();
  const showToast = useToast();
  const { label, help } = useSettingTexts(section, key);
  const withConfirmation = useWithConfirmation();
  const save = useMutation({
    // Serialized, so that the last choice wins.
    scope: { id: 'settings' },
    mutationFn: (value: SettingValue) =>
      withConfirmation((confirm) =>
        call('POST /api/appsettings/config/', { body: { [section]: { [key]: value } } as Partial<Settings>, ...confirm }),
      ),
    onSuccess: async (all) => {
      await queryClient.cancelQueries(settingsQuery); // a pending response may have the old values
      queryClient.setQueryData(settingsQuery.queryKey, all);
    },
    onError: (error) => {
      const text = isErrorAbout(error, `${section}.${key}`) ? [t`${label}: invalid value.`, help].join(' ') : error.message;
      showToast(text.trim(), { isDanger: true });
    },
  });
  return { ...save, currentValue: (saved: SettingValue): SettingValue => (save.isPending ? save.variables : saved) };
}
