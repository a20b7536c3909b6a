import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconDeviceDesktop } from '@tabler/icons-react';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { agoText } from '#web/format/dates.ts';
import { Moment } from '#web/format/Moment.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { browserName } from './browser-name.ts';
import styles from './Rows.module.css';
import { Section } from './Section.tsx';
import cards from './Settings.module.css';

const key = ['user', 'sessions'];

/** Where this person is logged in, and the end of it. */
export function Sessions() {
  const { t } = useLingui();
  const say = useToast();
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => call('GET /api/user/sessions/', { signal }) });
  const refresh = () => queryClient.invalidateQueries({ queryKey: key });
  const fail = (error: Error) => say(error.message, { isDanger: true });
  const end = useMutation({
    mutationFn: (id: string) => call('DELETE /api/user/sessions/:id/', { params: { id } }),
    onSuccess: () => say(t`That browser is logged out.`),
    onError: fail,
    onSettled: refresh,
  });
  const endOthers = useMutation({
    mutationFn: () => call('DELETE /api/user/sessions/', {}),
    onSuccess: () => say(t`Every other browser is logged out.`),
    onError: fail,
    onSettled: refresh,
  });
  return (
    <Section id="sessions" title={t`Where you are logged in`}>
      <Loaded query={query} skeleton={<Skeleton height={120} />}>
        {(all) => (
          <>
            <ul className={styles.list}>
              {all.map(({ id, is_this: isThis, browser, address, began, seen }) => {
                const name = browserName(browser) || t`Unknown browser`;
                return (
                  <li key={id} className={styles.row}>
                    <IconDeviceDesktop aria-hidden />
                    <div className={styles.words}>
                      <strong title={browser}>
                        <bdi>{name}</bdi>
                      </strong>
                      <p>
                        {isThis ? <span className={styles.badge}>{t`This one`}</span> : <span>{t`seen ${agoText(seen)}`}</span>}
                        {address && <bdi>{address}</bdi>}
                        <Moment at={began}>{t`since ${agoText(began)}`}</Moment>
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
                  <Plural value={all.length - 1} one="Log out the other one" other="Log out the # others" />
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}
