import { useAction } from '#web/confirm/use-action.ts';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { IconMoodEmpty } from '@tabler/icons-react';
import type { Api } from '#contract/api.ts';
import type { Sent } from '#contract/endpoint.ts';
import { settings } from '#contract/settings.ts';
import { call } from '#web/api/call.ts';
import { invalidateTopics } from '#web/api/client.ts';
import { settingsQuery } from '#web/api/queries/settings.ts';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/Callout.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useIsStaff } from '#web/api/account.ts';
import type { Search } from './use-search.ts';
import styles from './SearchPage.module.css';

const TurnOnMeaning = lazyComponent(async () => (await import('./TurnOnMeaning.tsx')).TurnOnMeaning);

type Changes = NonNullable<Sent<Api['POST /api/appsettings/config/']>['body']['downloads']>;

/** Changes settings of downloads. What is archived already is indexed in the background. */
function IndexButton({ changes, done, children }: { changes: Changes; done: string; children: ReactNode }) {
  const showToast = useToast();
  const save = useAction(() => call('POST /api/appsettings/config/', { body: { downloads: changes } }), {
    onSuccess: () => showToast(done),
    onSettled: () => invalidateTopics('settings', 'search'),
  });
  return (
    <Button kind="primary" isBusy={save.isPending} onClick={() => save.mutate()}>
      {children}
    </Button>
  );
}

const { subtitle, subtitle_source: source, comment_index: comments } = settings.downloads;

/**
 * Shown for a search without results: what to try, and what is not indexed. `hasMeaning`: whether passages with a similar meaning
 * follow; undefined where they never do.
 */
export function NothingFound({ search, hasMeaning }: { search: Search; hasMeaning?: boolean }) {
  const { t } = useLingui();
  const isStaff = useIsStaff();
  const downloads = useQuery(settingsQuery).data?.downloads;
  const hasSpeech = downloads === undefined || (downloads.subtitle !== null && downloads.subtitle_index);
  const hasComments = search.words.type !== 'simple' || downloads?.comment_index !== 0;
  const advice =
    search.chosen > 0 || search.kinds.length > 0
      ? t`No matches with these filters. Clear some, or try other words.`
      : t`Check the spelling or try fewer words.`;
  return (
    <EmptyState
      icon={<IconMoodEmpty />}
      title={t`Nothing found`}
      isSmall={hasMeaning === true}
      action={
        isStaff && (
          <>
            <div className={styles.bar}>
              {!hasSpeech && (
                <IndexButton
                  changes={{
                    ...(downloads.subtitle === null && { subtitle: subtitle.initial, subtitle_source: source.initial }),
                    subtitle_index: true,
                  }}
                  done={t`Spoken words are indexed from now on.`}
                >
                  <Trans>Turn on</Trans>
                </IndexButton>
              )}
              {!hasComments && (
                <IndexButton changes={{ comment_index: comments.initial }} done={t`Comments are indexed from now on.`}>
                  <Trans>Search comments too</Trans>
                </IndexButton>
              )}
            </div>
            {hasMeaning === false && <TurnOnMeaning />}
          </>
        )
      }
    >
      {search.words.type === 'simple' && t`No matches in titles, transcripts, chapters, descriptions or comments.`}{' '}
      {hasSpeech
        ? advice
        : isStaff
          ? t`${advice} Spoken words are not indexed.`
          : t`${advice} Spoken words are not indexed; an administrator can turn that on.`}
    </EmptyState>
  );
}
