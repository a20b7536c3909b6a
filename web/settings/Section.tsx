import { useLingui } from '@lingui/react/macro';
import { IconLink } from '@tabler/icons-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import styles from './Settings.module.css';

interface Props {
  /** Its address: what follows the # on its page. */
  id: string;
  title: string;
  words?: ReactNode;
  children: ReactNode;
}

/** A group of settings with an address of its own: who comes by that is brought to it. */
export function Section({ id, title, words, children }: Props) {
  const { t } = useLingui();
  const { hash } = useLocation();
  const element = useRef<HTMLElement>(null);
  const isMeant = hash === `#${id}`;
  useEffect(() => {
    if (isMeant) element.current?.scrollIntoView({ block: 'start' });
  }, [isMeant]);
  return (
    <section ref={element} id={id} className={`${styles.card} ${isMeant ? styles.meant : ''}`} aria-labelledby={`${id}-title`}>
      <div className={styles.sectionHead}>
        <h2 id={`${id}-title`}>{title}</h2>
        <Link to={`#${id}`} className={styles.anchor} aria-label={t`Link to ${title}`} replace preventScrollReset>
          <IconLink aria-hidden />
        </Link>
      </div>
      {words && <p className={styles.words}>{words}</p>}
      {children}
    </section>
  );
}
