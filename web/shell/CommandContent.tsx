import type { Command } from './palette-order.ts';
import styles from './CommandContent.module.css';

/** Content of a command or search result in a list: icon, label and hint, or its own. */
export const CommandContent = ({ command: { content, icon, label, hint } }: { command: Command }) =>
  content ?? (
    <>
      {icon}
      <bdi className={styles.text}>{label}</bdi>
      {hint && <bdi className={styles.hint}>{hint}</bdi>}
    </>
  );
