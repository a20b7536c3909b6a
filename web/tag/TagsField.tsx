import { useLingui } from '@lingui/react/macro';
import { IconX } from '@tabler/icons-react';
import { useId, type ReactNode } from 'react';
import { TagInput } from './TagInput.tsx';
import { isSameTag } from './tag-name.ts';
import styles from './Tags.module.css';

interface Props {
  label: string;
  tags: readonly string[];
  problem?: ReactNode;
  /** Renders the name, for example as a link. */
  name?(tag: string): ReactNode;
  onAdd(tag: string): void;
  onRemove(tag: string): void;
}

/** Tags as chips that can be removed, and a field that adds some. */
export function TagsField({ label, tags, problem, name = (tag) => <bdi>{tag}</bdi>, onAdd, onRemove }: Props) {
  const { t } = useLingui();
  const id = useId();
  return (
    <div className={styles.field} role="group" aria-labelledby={id}>
      <span id={id} className={styles.label}>
        {label}
      </span>
      <div className={styles.tags}>
        {tags.length > 0 && (
          <ul className={styles.chips}>
            {tags.map((tag) => (
              <li key={tag} className={styles.chip}>
                {name(tag)}
                <button
                  type="button"
                  aria-label={t`Remove tag ${tag}`}
                  title={t`Remove tag ${tag}`}
                  onClick={() => onRemove(tag)}
                >
                  <IconX aria-hidden />
                </button>
              </li>
            ))}
          </ul>
        )}
        <TagInput label={t`Add tag`} onAdd={(tag) => !tags.some((one) => isSameTag(one, tag)) && onAdd(tag)} except={tags} />
      </div>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
