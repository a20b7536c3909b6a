import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import type { Settings } from '#contract/settings.ts';
import { call, isErrorAbout } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { useWithConfirmation } from '#web/confirm/ReauthProvider.tsx';
import { settingsQuery } from '#web/api/queries/settings.ts';
import { settingTexts } from './setting-texts.ts';

export type SettingValue = string | number | boolean | null;

/** Translated label and help text of a setting. */
export function useSettingTexts(section: keyof Settings, name: string) {
  const { t } = useLingui();
  const texts = settingTexts[section] as Record<string, { label: MessageDescriptor; help?: MessageDescriptor }>;
  const { label, help } = texts[name]!;
  return { label: t(label), help: help && t(help) };
}

/**
 * Saves a setting. `save` rejects with the message to show; `current` is the pending value while it is being saved, else the saved
 * one.
 */
export function useSaveSetting(section: keyof Settings, key: string, saved: SettingValue) {
  const { t } = useLingui();
  const { label, help } = useSettingTexts(section, key);
  const withConfirmation = useWithConfirmation();
  const saving = useMutation({
    // Serialized, so that the last choice wins.
    scope: { id: 'settings' },
    mutationFn: async (value: SettingValue) => {
      const body = { [section]: { [key]: value } } as Partial<Settings>;
      try {
        // A page that is being left may still save.
        return await withConfirmation((confirm) => call('POST /api/appsettings/config/', { body, keepalive: true, ...confirm }));
      } catch (error) {
        if (!isErrorAbout(error as Error, `${section}.${key}`)) throw error;
        throw new Error([t`${label}: invalid value.`, help].join(' ').trim(), { cause: error });
      }
    },
    onSuccess: async (all) => {
      await queryClient.cancelQueries(settingsQuery); // a pending response may have the old values
      queryClient.setQueryData(settingsQuery.queryKey, all);
    },
  });
  const current: SettingValue = saving.isPending ? saving.variables : saved;
  return { save: saving.mutateAsync, current };
}
