import { useLingui } from '@lingui/react/macro';
import { IconLink } from '@tabler/icons-react';
import { useContext, type ReactNode } from 'react';
import { Link } from 'react-router';
import { Card } from './Card.tsx';
import { PageName } from './page-name.ts';
import { useAnchor } from './use-anchor.ts';
import styles from './Section.module.css';

interface Props {
  /** Anchor of the section in the page address. */
  id: string;
  title: string;
  text?: ReactNode;
  /** Controls next to the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A group of settings with an anchor. The page scrolls to the section named in the address. */
export function Section({ id, title, text, actions, children }: Props) {
  const { t } = useLingui();
  const { element, isTarget } = useAnchor<HTMLElement>([id], (section) => section.focus({ preventScroll: true }), 'start');
  // The heading of the page already names its only section.
  const isTitleHidden = useContext(PageName) === title;
  return (
    <Card
      ref={element}
      id={id}
      tabIndex={-1}
      className={`${styles.section} ${isTarget ? styles.target : ''}`}
      aria-labelledby={`${id}-title`}
    >
      <div className={`${styles.head} ${isTitleHidden && !actions ? 'hidden' : ''}`}>
        <h2 id={`${id}-title`} className={isTitleHidden ? 'hidden' : undefined}>
          {title}
        </h2>
        {!isTitleHidden && (
          <Link to={`#${id}`} className={styles.anchor} aria-label={t`Link to ${title}`} replace preventScrollReset>
            <IconLink aria-hidden />
          </Link>
        )}
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {text && <p className={styles.description}>{text}</p>}
      {children}
    </Card>
  );
}
