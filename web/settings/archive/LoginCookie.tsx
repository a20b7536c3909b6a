import { useAction } from '#web/confirm/use-action.ts';
import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { agoText, dayText } from '#web/format/dates.ts';
import { Button } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { TextArea } from '#web/ui/TextArea.tsx';
import { UnsavedChanges } from '#web/ui/UnsavedChanges.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { FieldAnchor } from '#web/setting-fields/FieldAnchor.tsx';
import { ActionRow } from '#web/ui/ActionRow.tsx';

const cookieKey = ['settings', 'cookie'];

/** Stores the browser cookies that downloads use. */
export function LoginCookie() {
  const { t } = useLingui();
  const showToast = useToast();
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
      showToast(t`Cookies saved. Downloads that need a login are retried.`);
    },
    onSettled: refresh,
  });
  const test = useAction(() => call('POST /api/appsettings/cookie/', {}), {
    onSuccess: ({ status }) =>
      showToast(status ? t`The cookies are valid.` : t`The cookies have expired.`, { isDanger: !status }),
    onSettled: refresh,
  });
  const remove = useMutation({ mutationFn: () => call('DELETE /api/appsettings/cookie/', {}), onSettled: refresh });
  const isOn = data?.cookie_enabled === true;
  const failed = store.error ?? remove.error ?? error;
  return (
    <>
      {isOn && data.rotated && (
        <Callout kind="danger">
          <Trans>
            The cookies are no longer valid since {dayText(data.rotated)}. YouTube has replaced them in your browser. Export them
            again from a private window, and close it before you use the site again.
          </Trans>
        </Callout>
      )}
      {isOn && !data.rotated && (
        <Callout kind={data.status === false ? 'danger' : 'info'}>
          {data.status === false ? t`The stored cookies have expired.` : t`Downloads use the stored cookies.`}
          {data.validated ? ` ${t`Tested ${agoText(data.validated)}.`}` : ''}
          {data.expires ? ` ${t`Valid until ${dayText(data.expires)}.`}` : ''}
        </Callout>
      )}
      <FieldAnchor id="cookie-file">
        <TextArea label={t`Cookie file`} rows={3} value={text} onChange={setText} />
      </FieldAnchor>
      <UnsavedChanges isChanged={text.trim() !== ''} />
      {failed && <Callout kind="danger">{failed.message}</Callout>}
      <ActionRow>
        <Button kind="primary" disabled={text.trim() === ''} isBusy={store.isPending} onClick={() => store.mutate()}>
          <Trans>Save and test</Trans>
        </Button>
        {isOn && (
          <>
            <Button isBusy={test.isPending} onClick={() => test.mutate()}>
              <Trans>Test</Trans>
            </Button>
            <Button kind="quiet" isBusy={remove.isPending} onClick={() => remove.mutate()}>
              <Trans>Delete cookies</Trans>
            </Button>
          </>
        )}
      </ActionRow>
    </>
  );
}
