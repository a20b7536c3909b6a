import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, callAddress } from '#web/api/call.ts';
import { Button, buttonClass } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Note } from '#web/ui/Note.tsx';
import { proofWanted, type Asked, type Proof } from './asked.ts';
import { accountQuery, waysIn } from './queries.ts';
import styles from './Login.module.css';

/** Whether the question is still the same: it was not answered rightly, too often wrongly, or not at all. */
const isStillAsked = (error: unknown) =>
  proofWanted(error) !== null || (error instanceof ApiError && (error.status === 429 || error.status === 0));

/** Asks who sits there, before something is changed that lets people in. What else is wrong is told where it was asked for. */
export function ProofQuestion({ proof, attempt, done, fail, cancel }: Asked & { proof: Proof }) {
  const { t } = useLingui();
  const [typed, setTyped] = useState('');
  const again = useMutation({
    mutationFn: () => attempt(proof.by === 'password' ? { confirm: typed } : undefined),
    onSuccess: done,
    onError: (error) => !isStillAsked(error) && fail(error),
  });
  return (
    <Dialog title={t`Is it you?`} onClose={cancel}>
      {proof.by === 'password' ? (
        <ByPassword typed={typed} onType={setTyped} again={again} onCancel={cancel} />
      ) : (
        <ByLogin again={again} onCancel={cancel} />
      )}
    </Dialog>
  );
}

interface Props {
  again: { mutate(): void; isPending: boolean; isError: boolean; error: Error | null };
  onCancel(): void;
}

function ByPassword({ typed, onType, again, onCancel }: Props & { typed: string; onType(typed: string): void }) {
  const { t } = useLingui();
  const { data: account } = useQuery(accountQuery);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        again.mutate();
      }}
    >
      <p>
        <Trans>This changes who may come in, and you logged in a while ago. Nothing of what you entered is lost.</Trans>
      </p>
      {/* For password managers, which keep a name with what they keep. */}
      <input type="text" name="username" autoComplete="username" value={account?.name ?? ''} readOnly hidden />
      <Field
        label={t`Your password`}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        autoFocus
        aria-invalid={again.isError}
        value={typed}
        onChange={({ target }) => onType(target.value)}
      />
      {again.isError && <Note kind="danger">{again.error?.message}</Note>}
      <DialogActions>
        <Button onClick={onCancel}>
          <Trans>Cancel</Trans>
        </Button>
        <Button type="submit" kind="primary" isBusy={again.isPending}>
          <Trans>Go on</Trans>
        </Button>
      </DialogActions>
    </form>
  );
}

/** Of who has no password here: they log in beside this page, which keeps what they entered. */
function ByLogin({ again, onCancel }: Props) {
  const { data: ways } = useQuery(waysIn);
  return (
    <>
      <p>
        {ways?.oidc ? (
          <Trans>
            This changes who may come in, and you logged in a while ago. Log in again in a new tab, then come back here and go on.
            Nothing of what you entered is lost.
          </Trans>
        ) : (
          <Trans>This changes who may come in, and you logged in a while ago. Log out, log in again, and then do it.</Trans>
        )}
      </p>
      {ways?.oidc && (
        <p>
          <a
            className={buttonClass('primary')}
            href={callAddress('/api/user/oidc/again/', {}, { next: '/logged-in/' })}
            target="_blank"
            rel="noopener"
          >
            <Trans>Log in again with {ways.oidc}</Trans>
          </a>
        </p>
      )}
      {again.isError && <Note kind="danger">{again.error?.message}</Note>}
      <DialogActions>
        <Button onClick={onCancel}>
          <Trans>Cancel</Trans>
        </Button>
        {ways?.oidc && (
          <Button isBusy={again.isPending} onClick={() => again.mutate()}>
            <Trans>Go on</Trans>
          </Button>
        )}
      </DialogActions>
    </>
  );
}
