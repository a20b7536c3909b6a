import { useAction } from '#web/confirm/use-action.ts';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconDeviceDesktop } from '@tabler/icons-react';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { agoText } from '#web/format/dates.ts';
import { RelativeTime } from '#web/format/RelativeTime.tsx';
import { Button } from '#web/ui/Button.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { ActionRow } from '#web/ui/ActionRow.tsx';
import { EntryRow } from '#web/setting-fields/EntryRow.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { browserName } from './browser-name.ts';
import { Section } from '#web/setting-fields/Section.tsx';

const key = ['user', 'sessions'];

/** The user's active sessions. */
export function Sessions() {
  const { t } = useLingui();
  const showToast = useToast();
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => call('GET /api/user/sessions/', { signal }) });
  const refresh = () => queryClient.invalidateQueries({ queryKey: key });
  const end = useAction((id: string) => call('DELETE /api/user/sessions/:id/', { params: { id } }), {
    onSuccess: () => showToast(t`Browser logged out.`),
    onSettled: refresh,
  });
  const endOthers = useAction(() => call('DELETE /api/user/sessions/', {}), {
    onSuccess: () => showToast(t`All other browsers logged out.`),
    onSettled: refresh,
  });
  return (
    <Section id="sessions" title={t`Active sessions`}>
      <QueryBoundary query={query} skeleton={120}>
        {(all) => (
          <>
            <ul>
              {all.map(({ id, is_this: isThis, browser, address, began, seen }) => {
                const name = browserName(browser) || t`Unknown browser`;
                return (
                  <EntryRow
                    key={id}
                    icon={<IconDeviceDesktop aria-hidden />}
                    name={<span title={browser}>{name}</span>}
                    facts={
                      <>
                        {isThis ? <Badge>{t`This browser`}</Badge> : <span>{t`last active ${agoText(seen)}`}</span>}
                        {address && <bdi>{address}</bdi>}
                        <RelativeTime at={began}>{t`logged in ${agoText(began)}`}</RelativeTime>
                      </>
                    }
                  >
                    {!isThis && (
                      <Button
                        size="s"
                        isBusy={end.isPending && end.variables === id}
                        aria-label={t`Log out: ${name}`}
                        onClick={() => end.mutate(id)}
                      >
                        <Trans>Log out</Trans>
                      </Button>
                    )}
                  </EntryRow>
                );
              })}
            </ul>
            {all.length > 1 && (
              <ActionRow>
                <Button isBusy={endOthers.isPending} onClick={() => endOthers.mutate()}>
                  <Plural value={all.length - 1} one="Log out the other session" other="Log out # other sessions" />
                </Button>
              </ActionRow>
            )}
          </>
        )}
      </QueryBoundary>
    </Section>
  );
}
