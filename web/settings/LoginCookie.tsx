import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { agoText, dayText } from '#web/format/dates.ts';
import { Button } from '#web/ui/Button.tsx';
import { Note } from '#web/ui/Note.tsx';
import { TextArea } from '#web/ui/TextArea.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import styles from './Settings.module.css';

const cookieKey = ['settings', 'cookie'];

/** Downloads that are logged in with a person's own cookies. */
export function LoginCookie() {
  const { t } = useLingui();
  const say = useToast();
  const [text, setText] = useState('');
  const { data, error } = useQuery({
    queryKey: cookieKey,
    queryFn: ({ signal }) => call('GET /api/appsettings/cookie/', { signal }),
  });
  const refresh = () => queryClient.invalidateQueries({ queryKey: cookieKey });
  const store = useMutation({
    mutationFn: () => call('PUT /api/appsettings/cookie/', { body: { cookie: text } }),
    onSuccess: () => {
      setText('');
      say(t`Stored. What waited for a login is tried again.`);
    },
    onSettled: refresh,
  });
  const test = useMutation({
    mutationFn: () => call('POST /api/appsettings/cookie/', {}),
    onSuccess: ({ status }) => say(status ? t`The login holds.` : t`The login has ended.`, { isDanger: !status }),
    onError: (error) => say(error.message, { isDanger: true }),
    onSettled: refresh,
  });
  const drop = useMutation({ mutationFn: () => call('DELETE /api/appsettings/cookie/', {}), onSettled: refresh });
  const isOn = data?.cookie_enabled === true;
  const failed = store.error ?? drop.error ?? error;
  return (
    <>
      <p className={styles.words}>
        <Trans>
          For what only members, grown-ups or you may see. Export the cookies of your browser as a file in the format of Netscape
          (cookies.txt), and paste it here. It is kept encrypted.
        </Trans>
      </p>
      {isOn && (
        <Note kind={data.status === false ? 'danger' : 'info'}>
          {data.status === false ? t`The stored login has ended.` : t`Downloads are logged in.`}
          {data.validated ? ` ${t`Tried ${agoText(data.validated)}.`}` : ''}
          {data.expires ? ` ${t`Holds until ${dayText(data.expires)}.`}` : ''}
        </Note>
      )}
      <TextArea label={t`Cookie file`} rows={3} value={text} onChange={setText} />
      {failed && <Note kind="danger">{failed.message}</Note>}
      <div className={styles.actions}>
        <Button kind="primary" disabled={text.trim() === ''} isBusy={store.isPending} onClick={() => store.mutate()}>
          <Trans>Store and try</Trans>
        </Button>
        {isOn && (
          <>
            <Button isBusy={test.isPending} onClick={() => test.mutate()}>
              <Trans>Try it</Trans>
            </Button>
            <Button kind="quiet" isBusy={drop.isPending} onClick={() => drop.mutate()}>
              <Trans>Forget it</Trans>
            </Button>
          </>
        )}
      </div>
    </>
  );
}
