import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router';
import { pathOfSettings } from '#web/settings-pages/settings-pages.ts';
import styles from './SearchPage.module.css';

/** Tells staff about the search by meaning where words find little. */
export const TurnOnMeaning = () => (
  <p className={styles.notice}>
    <Trans>
      Search by meaning finds other words and other languages.{' '}
      <Link to={pathOfSettings('application/transcripts', 'meaning')}>Turn on</Link>
    </Trans>
  </p>
);
