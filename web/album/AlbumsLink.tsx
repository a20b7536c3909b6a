import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconDisc } from '@tabler/icons-react';
import { Link } from 'react-router';
import { buttonClass } from '#web/ui/Button.tsx';
import { albumList } from './album-queries.ts';

/** Link to the albums, if there are any. */
export function AlbumsLink() {
  const { t } = useLingui();
  const { data } = useQuery(albumList(0));
  if (!data || data.data.length === 0) return null;
  return (
    <Link to="/album/" className={buttonClass()}>
      <IconDisc aria-hidden /> <span>{t`Albums`}</span>
    </Link>
  );
}
