import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '#web/api/account.ts';
import { Dialog, DoneButton } from '#web/ui/Dialog.tsx';
import { Address } from './Address.tsx';
import styles from './Sharing.module.css';

/** Shows the address of the archive for the camera of a phone. */
export function PhoneDialog({ onClose }: { onClose(): void }) {
  const { t } = useLingui();
  const address = useQuery(accountQuery).data?.address;
  return (
    <Dialog title={t`Open on a phone`} onClose={onClose}>
      <p className={styles.text}>
        <Trans>Scan the code with the camera of your phone and log in there. You can add Reelkeep to its home screen.</Trans>
      </p>
      {address && <Address url={`${address}/`} copyLabel={t`Copy the address`} isOpen />}
      <DoneButton onClick={onClose} />
    </Dialog>
  );
}
