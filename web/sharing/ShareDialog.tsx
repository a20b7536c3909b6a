import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Form } from '#web/ui/Form.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { Dialog, DialogActions, DoneButton } from '#web/ui/Dialog.tsx';
import { Field, Select, Switch } from '#web/ui/Field.tsx';
import { useWithConfirmation } from '#web/confirm/ReauthProvider.tsx';
import { Address } from './Address.tsx';
import styles from './Sharing.module.css';

const daySeconds = 86_400;

interface Props {
  name: string;
  target: { type: 'video' | 'playlist'; id: string };
  onClose(): void;
}

/** Creates a link for people without an account. */
export function ShareDialog({ name, target, onClose }: Props) {
  const { t } = useLingui();
  const [isDownloadable, setIsDownloadable] = useState(false);
  const withConfirmation = useWithConfirmation();
  const create = useMutation({
    mutationFn: ({ days, password }: { days: number; password: string }) =>
      withConfirmation((confirm) =>
        call('POST /api/share/', {
          body: {
            ...target,
            expires: days > 0 ? Math.floor(Date.now() / 1000) + days * daySeconds : null,
            password: password || null,
            download: isDownloadable,
          },
          ...confirm,
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['share'] }),
  });
  return (
    <Dialog title={t`Share: ${name}`} onClose={onClose}>
      {create.isSuccess ? (
        <>
          <p className={styles.text}>
            <Trans>
              Anyone with this link can watch, without an account. You can revoke it in{' '}
              <Link to="/settings/user/sharing/">Podcasts and share links</Link>.
            </Trans>
          </p>
          <Address url={create.data.url} copyLabel={t`Copy the share link`} />
          <DoneButton onClick={onClose} />
        </>
      ) : (
        <Form
          onSubmit={(values) => create.mutate({ days: Number(values.get('days')), password: String(values.get('password')) })}
        >
          <p>
            {target.type === 'video' ? (
              <Trans>Creates a link to a page with this video, for people without an account.</Trans>
            ) : (
              <Trans>
                Creates a link to a page with this playlist, for people without an account. It shows later changes too.
              </Trans>
            )}
          </p>
          <Select
            label={t`Expires`}
            name="days"
            defaultValue="7"
            choices={[
              { value: '1', label: t`In a day` },
              { value: '7', label: t`In 7 days` },
              { value: '30', label: t`In 30 days` },
              { value: '0', label: t`Never` },
            ]}
          />
          <Field label={t`Password (optional)`} name="password" type="password" autoComplete="new-password" />
          <Switch label={t`Allow downloading the file`} isOn={isDownloadable} onChange={setIsDownloadable} />
          {create.isError && <Callout kind="danger">{create.error.message}</Callout>}
          <DialogActions onCancel={onClose}>
            <Button kind="primary" type="submit" isBusy={create.isPending}>
              <Trans>Create link</Trans>
            </Button>
          </DialogActions>
        </Form>
      )}
    </Dialog>
  );
}
