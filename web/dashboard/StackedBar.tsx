import styles from './Dashboard.module.css';

interface Part {
  name: string;
  value: number;
  /** The formatted value. */
  valueText: string;
}

/** A stacked bar with a legend; the parts differ in colour and pattern. */
export function StackedBar({ label, parts }: { label: string; parts: Part[] }) {
  const total = parts.reduce((sum, { value }) => sum + value, 0);
  return (
    <div className={styles.stacked}>
      <div
        className={styles.bar}
        role="img"
        aria-label={`${label}: ${parts.map(({ name, valueText }) => `${name} ${valueText}`).join(', ')}`}
      >
        {parts.map(({ name, value }, index) => (
          <span
            key={name}
            className={styles[`tone${index}`]}
            style={{ inlineSize: `${total > 0 ? (value / total) * 100 : 0}%` }}
            title={name}
          />
        ))}
      </div>
      <ul className={styles.legend}>
        {parts.map(({ name, valueText }, index) => (
          <li key={name}>
            <span className={`${styles.key} ${styles[`tone${index}`]}`} aria-hidden />
            {name} <strong className="number">{valueText}</strong>
          </li>
        ))}
      </ul>
    </div>
  );
}
