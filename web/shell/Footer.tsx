import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call } from '#web/api/call.ts';
import styles from './Footer.module.css';

export const useVersion = () =>
  useQuery({ queryKey: ['service', 'ping'], queryFn: ({ signal }) => call('GET /api/ping/', { signal }), staleTime: Infinity })
    .data?.version;

export function Footer() {
  return (
    <footer className={styles.footer}>
      <Link to="/about/">Reelkeep</Link>
      <span className="number">{useVersion()}</span>
    </footer>
  );
}
