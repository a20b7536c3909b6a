import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Field, Switch } from '#web/ui/Field.tsx';
import { Note } from '#web/ui/Note.tsx';
import styles from './Lists.module.css';

interface Props {
  title: string;
  name?: string;
  isShared?: boolean;
  isBusy: boolean;
  error: Error | null;
  onSave(name: string, isShared: boolean): void;
  onClose(): void;
}

/** What a smart list is called, and who sees it. */
export function ListForm({ title, name: known = '', isShared: was = false, isBusy, error, onSave, onClose }: Props) {
  const { t } = useLingui();
  const [name, setName] = useState(known);
  const [isShared, setIsShared] = useState(was);
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim()) onSave(name.trim(), isShared);
        }}
      >
        <Field label={t`Name`} value={name} maxLength={100} autoFocus onChange={(event) => setName(event.target.value)} />
        <Switch
          label={t`Everybody here sees it`}
          help={t`They look at it with what they have watched themselves. Only you change it.`}
          isOn={isShared}
          onChange={setIsShared}
        />
        {error && <Note kind="danger">{error.message}</Note>}
        <DialogActions>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button type="submit" kind="primary" isBusy={isBusy} disabled={!name.trim()}>
            {t`Save`}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
