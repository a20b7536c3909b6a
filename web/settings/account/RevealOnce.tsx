import { useLingui } from '@lingui/react/macro';
import { Dialog, DoneButton } from '#web/ui/Dialog.tsx';
import { CopyText } from '#web/ui/CopyText.tsx';

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
      <CopyText text={secret} label={t`Copy`} />
      <DoneButton onClick={onClose} />
    </Dialog>
  );
}
