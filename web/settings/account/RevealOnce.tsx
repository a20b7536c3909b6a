import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import styles from '#web/setting-fields/Rows.module.css';

interface Props {
  title: string;
  text: string;
  secret: string;
  onClose(): void;
}

/** Shows a secret once. Only the button closes the dialog. */
export function RevealOnce({ title, text, secret, onClose }: Props) {
  const { t } = useLingui();
  return (
    <Dialog title={title} isModalOnly onClose={onClose}>
      <p>{text}</p>
      <p className={styles.secret}>
        <code>{secret}</code>
        <CopyButton text={secret} label={t`Copy`} />
      </p>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}
