import styles from './Dashboard.module.css';

interface Part {
  name: string;
  value: number;
  /** The value as people read it. */
  says: string;
}

/** One bar of several parts, told apart by colour, pattern and the list below it. */
export function Stacked({ label, parts }: { label: string; parts: Part[] }) {
  const total = parts.reduce((sum, { value }) => sum + value, 0);
  return (
    <div className={styles.stacked}>
      <div
        className={styles.bar}
        role="img"
        aria-label={`${label}: ${parts.map(({ name, says }) => `${name} ${says}`).join(', ')}`}
      >
        {parts.map(({ name, value }, place) => (
          <span
            key={name}
            className={styles[`tone${place}`]}
            style={{ inlineSize: `${total > 0 ? (value / total) * 100 : 0}%` }}
            title={name}
          />
        ))}
      </div>
      <ul className={styles.legend}>
        {parts.map(({ name, says }, place) => (
          <li key={name}>
            <span className={`${styles.key} ${styles[`tone${place}`]}`} aria-hidden />
            {name} <strong className="number">{says}</strong>
          </li>
        ))}
      </ul>
    </div>
  );
}
