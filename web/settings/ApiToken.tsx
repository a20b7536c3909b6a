import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconEye, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Note } from '#web/ui/Note.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { CopyButton } from './CopyButton.tsx';
import { Section } from './Section.tsx';
import styles from './Settings.module.css';

const key = ['user', 'token'];

/** The one token that can be read again, as older clients want it. */
export function ApiToken() {
  const { t } = useLingui();
  const [isShown, setIsShown] = useState(false);
  const say = useToast();
  const token = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call('GET /api/appsettings/token/', { signal }),
    enabled: isShown,
  });
  const revoke = useMutation({
    mutationFn: () => call('DELETE /api/appsettings/token/', {}),
    onSuccess: () => {
      setIsShown(false);
      queryClient.removeQueries({ queryKey: key });
      say(t`The token is worthless now. Showing it again makes a new one.`);
    },
    onError: (error) => say(error.message, { isDanger: true }),
  });
  const show = () => {
    if (token.isError) void token.refetch();
    setIsShown(true);
  };
  return (
    <Section
      id="api-token"
      title={t`API token`}
      words={
        <Trans>
          For the browser extension and other clients that show it in their settings. Whoever has it can do what you can, but for
          managing tokens, people and passwords.
        </Trans>
      }
    >
      {isShown && token.isError && <Note kind="danger">{token.error.message}</Note>}
      {isShown && token.data && (
        <Field label={t`Token`} readOnly value={token.data.token} onFocus={(event) => event.target.select()} />
      )}
      <div className={styles.actions}>
        {isShown && token.data ? (
          <CopyButton text={token.data.token} label={t`Copy the token`} />
        ) : (
          <Button size="s" icon={<IconEye aria-hidden />} isBusy={token.isFetching} onClick={show}>
            <Trans>Show</Trans>
          </Button>
        )}
        <Button size="s" kind="danger" icon={<IconTrash aria-hidden />} isBusy={revoke.isPending} onClick={() => revoke.mutate()}>
          <Trans>Revoke</Trans>
        </Button>
      </div>
    </Section>
  );
}
