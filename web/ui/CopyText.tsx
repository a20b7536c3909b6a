import type { ReactNode } from 'react';
import { CopyButton } from './CopyButton.tsx';
import styles from './CopyText.module.css';

interface Props {
  text: string;
  /** Text of the button that copies. */
  label: string;
  /** More buttons. */
  children?: ReactNode;
}

/** A text such as an address or token, with a button that copies it. */
export const CopyText = ({ text, label, children }: Props) => (
  <div className={styles.text}>
    <code>{text}</code>
    <CopyButton text={text} label={label} />
    {children}
  </div>
);
