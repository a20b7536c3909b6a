import { CopyButton } from '#web/ui/CopyButton.tsx';
import styles from './Sharing.module.css';

/** A secret address with a button that copies it. */
export const Address = ({ url, copyLabel }: { url: string; copyLabel: string }) => (
  <p className={styles.address}>
    <code>{url}</code>
    <CopyButton text={url} label={copyLabel} />
  </p>
);
