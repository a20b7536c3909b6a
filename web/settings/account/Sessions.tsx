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
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { browserName } from './browser-name.ts';
import styles from '#web/setting-fields/Rows.module.css';
import { Section } from '#web/setting-fields/Section.tsx';
import cards from '#web/setting-fields/Settings.module.css';

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
      <QueryBoundary query={query} skeleton={<Skeleton height={120} />}>
        {(all) => (
          <>
            <ul className={styles.list}>
              {all.map(({ id, is_this: isThis, browser, address, began, seen }) => {
                const name = browserName(browser) || t`Unknown browser`;
                return (
                  <li key={id} className={styles.row}>
                    <IconDeviceDesktop aria-hidden />
                    <div className={styles.text}>
                      <strong title={browser}>
                        <bdi>{name}</bdi>
                      </strong>
                      <p>
                        {isThis ? (
                          <span className={styles.badge}>{t`This browser`}</span>
                        ) : (
                          <span>{t`last active ${agoText(seen)}`}</span>
                        )}
                        {address && <bdi>{address}</bdi>}
                        <RelativeTime at={began}>{t`logged in ${agoText(began)}`}</RelativeTime>
                      </p>
                    </div>
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
                  </li>
                );
              })}
            </ul>
            {all.length > 1 && (
              <div className={cards.actions}>
                <Button isBusy={endOthers.isPending} onClick={() => endOthers.mutate()}>
                  <Plural value={all.length - 1} one="Log out the other session" other="Log out # other sessions" />
                </Button>
              </div>
            )}
          </>
        )}
      </QueryBoundary>
    </Section>
  );
}
