import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Form } from '#web/ui/Form.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Field, Switch } from '#web/ui/Field.tsx';
import { Callout } from '#web/ui/Callout.tsx';

interface Props {
  title: string;
  name?: string;
  isShared?: boolean;
  isBusy: boolean;
  error: Error | null;
  onSave(name: string, isShared: boolean): void;
  onClose(): void;
}

/** Dialog for the name and the sharing of a smart list. */
export function ListForm({ title, name: initialName = '', isShared: wasShared = false, isBusy, error, onSave, onClose }: Props) {
  const { t } = useLingui();
  const [name, setName] = useState(initialName);
  const [isShared, setIsShared] = useState(wasShared);
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={() => name.trim() && onSave(name.trim(), isShared)}>
        <Field label={t`Name`} value={name} maxLength={100} autoFocus onChange={(event) => setName(event.target.value)} />
        <Switch
          label={t`Share with all users`}
          help={t`Others see it with their own watched state. Only you can change it.`}
          isOn={isShared}
          onChange={setIsShared}
        />
        {error && <Callout kind="danger">{error.message}</Callout>}
        <DialogActions onCancel={onClose}>
          <Button type="submit" kind="primary" isBusy={isBusy} disabled={!name.trim()}>
            {t`Save`}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
