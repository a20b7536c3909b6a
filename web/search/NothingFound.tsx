import { useAction } from '#web/confirm/use-action.ts';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconMoodEmpty } from '@tabler/icons-react';
import { settings } from '#contract/settings.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { settingsQuery } from '#web/api/queries/settings.ts';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/Callout.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useIsStaff } from '#web/api/account.ts';
import type { Search } from './use-search.ts';

/** Turns on subtitles, if none are configured, and their index. Archived subtitles are indexed in the background. */
function IndexSpeech({ hasSubtitles }: { hasSubtitles: boolean }) {
  const { t } = useLingui();
  const showToast = useToast();
  const { subtitle, subtitle_source: source } = settings.downloads;
  const save = useAction(
    () =>
      call('POST /api/appsettings/config/', {
        body: {
          downloads: {
            ...(!hasSubtitles && { subtitle: subtitle.initial, subtitle_source: source.initial }),
            subtitle_index: true,
          },
        },
      }),
    {
      onSuccess: () => showToast(t`Spoken words are indexed from now on.`),
      onSettled: () => queryClient.invalidateQueries({ queryKey: ['settings'] }),
    },
  );
  return (
    <Button kind="primary" isBusy={save.isPending} onClick={() => save.mutate()}>
      <Trans>Turn on</Trans>
    </Button>
  );
}

/** Shown for a search without results: what to try, and whether spoken words are indexed. */
export function NothingFound({ search }: { search: Search }) {
  const { t } = useLingui();
  const isStaff = useIsStaff();
  const downloads = useQuery(settingsQuery).data?.downloads;
  const isIndexed = downloads === undefined || (downloads.subtitle !== null && downloads.subtitle_index);
  const advice =
    search.chosen > 0
      ? t`No matches with these filters. Clear some, or try other words.`
      : t`Check the spelling or try fewer words.`;
  return (
    <EmptyState
      icon={<IconMoodEmpty />}
      title={t`Nothing found`}
      action={!isIndexed && isStaff && <IndexSpeech hasSubtitles={downloads.subtitle !== null} />}
    >
      {isIndexed
        ? advice
        : isStaff
          ? t`${advice} Spoken words are not indexed.`
          : t`${advice} Spoken words are not indexed; an administrator can turn that on.`}
    </EmptyState>
  );
}
