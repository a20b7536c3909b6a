import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { useShowHelp } from '#web/api/account.ts';
import { FieldAnchor } from '../fields/FieldAnchor.tsx';
import styles from '../fields/Settings.module.css';

const key = ['settings', 'potoken'];
// Prefix of every token, prefilled.
const prefix = 'web+';

/** Proof-of-origin token that yt-dlp sends to YouTube. `isStored`: the setting that storing a token turns on. */
export function PoToken({ isStored }: { isStored: boolean }) {
  const { t } = useLingui();
  const withHelp = useShowHelp();
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call('GET /api/appsettings/potoken/', { signal }),
    enabled: isStored,
  });
  const saved = (isStored && data?.potoken) || '';
  const [typed, setTyped] = useState<string>();
  // The server returns the token masked: it can be replaced but not edited.
  const text = typed ?? (saved ? '' : prefix);
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['settings'] });
  const save = useMutation({
    mutationFn: () => call('POST /api/appsettings/potoken/', { body: { potoken: text } }),
    onSuccess: () => setTyped(undefined),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: () => call('DELETE /api/appsettings/potoken/', {}),
    onSuccess: () => setTyped(undefined),
    onSettled: refresh,
  });
  const failed = save.error ?? remove.error ?? error;
  return (
    <FieldAnchor id="po-token">
      <form
        className={styles.typed}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Field
          label={t`PO token`}
          help={withHelp ? t`In yt-dlp’s format, for example web.gvs+TOKEN.` : undefined}
          placeholder={saved}
          value={text}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setTyped(event.target.value)}
        />
        <div className={styles.controls}>
          {text !== prefix && text.trim() !== '' && (
            <Button type="submit" kind="primary" size="s" isBusy={save.isPending} aria-label={t`Update: PO token`}>
              <Trans>Update</Trans>
            </Button>
          )}
          {saved && (
            <Button
              size="s"
              kind="quiet"
              isBusy={remove.isPending}
              onClick={() => remove.mutate()}
              aria-label={t`Reset: PO token`}
            >
              <Trans>Reset</Trans>
            </Button>
          )}
        </div>
        {failed && <Callout kind="danger">{failed.message}</Callout>}
      </form>
    </FieldAnchor>
  );
}
