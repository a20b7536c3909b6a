import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { CopyButton } from './CopyButton.tsx';
import styles from './Rows.module.css';

interface Props {
  title: string;
  words: string;
  secret: string;
  onClose(): void;
}

/** A secret that can be read this once; nothing but a button closes it. */
export function ShownOnce({ title, words, secret, onClose }: Props) {
  const { t } = useLingui();
  return (
    <Dialog title={title} isFirm onClose={onClose}>
      <p>{words}</p>
      <p className={styles.secret}>
        <code>{secret}</code>
        <CopyButton text={secret} label={t`Copy it`} />
      </p>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          <Trans>I have kept it</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}
