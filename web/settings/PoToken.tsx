import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Note } from '#web/ui/Note.tsx';
import { useShowsHelp } from '#web/user/queries.ts';
import styles from './Settings.module.css';

const key = ['settings', 'potoken'];
// What a token begins with, so that nobody must know.
const prefix = 'web+';

async function savedToken(signal: AbortSignal): Promise<string> {
  try {
    return (await call('GET /api/appsettings/potoken/', { signal })).potoken;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return '';
    throw error;
  }
}

/** A token by which some sites are convinced that a person is asking. */
export function PoToken() {
  const { t } = useLingui();
  const withHelp = useShowsHelp();
  const { data: saved = '', error } = useQuery({ queryKey: key, queryFn: ({ signal }) => savedToken(signal) });
  const [typed, setTyped] = useState<string>();
  const text = typed ?? (saved || prefix);
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['settings'] });
  const save = useMutation({
    mutationFn: () => call('POST /api/appsettings/potoken/', { body: { potoken: text } }),
    onSuccess: () => setTyped(undefined),
    onSettled: refresh,
  });
  const drop = useMutation({
    mutationFn: () => call('DELETE /api/appsettings/potoken/', {}),
    onSuccess: () => setTyped(undefined),
    onSettled: refresh,
  });
  const failed = save.error ?? drop.error ?? error;
  return (
    <form
      className={styles.typed}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Field
        label={t`PO token`}
        help={withHelp ? t`As yt-dlp takes it, such as web.gvs+TOKEN.` : undefined}
        value={text}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className={styles.controls}>
        {text !== prefix && text !== saved && (
          <Button type="submit" kind="primary" size="s" isBusy={save.isPending} aria-label={t`Update: PO token`}>
            <Trans>Update</Trans>
          </Button>
        )}
        {saved && (
          <Button size="s" kind="quiet" isBusy={drop.isPending} onClick={() => drop.mutate()} aria-label={t`Reset: PO token`}>
            <Trans>Reset</Trans>
          </Button>
        )}
      </div>
      {failed && <Note kind="danger">{failed.message}</Note>}
    </form>
  );
}
