import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { sizeText } from '#web/format/numbers.ts';
import cards from '#web/settings/Settings.module.css';
import { Button } from '#web/ui/Button.tsx';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Pager, usePage } from '#web/ui/Pager.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useConfig } from '#web/user/queries.ts';
import styles from './Bin.module.css';
import { BinRow } from './BinRow.tsx';
import { GoForGood } from './GoForGood.tsx';
import { binQuery } from './queries.ts';

/** What was deleted and can be put back, for staff. */
export function Bin() {
  const { t } = useLingui();
  const [page, setPage] = usePage();
  const [asks, setAsks] = useState(false);
  const unit = useConfig()?.file_size_unit;
  const query = useQuery(binQuery(page));
  return (
    <section className={cards.card} aria-labelledby="bin">
      <h2 id="bin">{t`Bin`}</h2>
      <Loaded query={query} skeleton={<Skeleton height={300} />}>
        {({ data, paginate, total_size: bytes, days }) => (
          <>
            <p className={cards.muted}>
              <Plural
                value={days}
                _0="There is no bin: what is deleted goes at once."
                one="What is deleted rests here for # day, then it goes for good."
                other="What is deleted rests here for # days, then it goes for good."
              />{' '}
              <Link to="/settings/application/#bin">
                <Trans>Change that</Trans>
              </Link>
            </p>
            {paginate.total_hits === 0 ? (
              <p className={cards.muted}>
                <Trans>The bin is empty.</Trans>
              </p>
            ) : (
              <div className={styles.head}>
                <p className="number">
                  <Plural
                    value={paginate.total_hits}
                    one={`# video · ${sizeText(bytes, unit)}`}
                    other={`# videos · ${sizeText(bytes, unit)}`}
                  />
                </p>
                <Button kind="danger" icon={<IconTrash aria-hidden />} onClick={() => setAsks(true)}>
                  <Trans>Empty the bin</Trans>
                </Button>
              </div>
            )}
            <ul>
              {data.map((entry) => (
                <BinRow key={entry.id} entry={entry} />
              ))}
            </ul>
            <Pager page={page} total={paginate.total_hits} size={paginate.page_size} onChange={setPage} />
            {asks && <GoForGood count={paginate.total_hits} bytes={bytes} onClose={() => setAsks(false)} />}
          </>
        )}
      </Loaded>
    </section>
  );
}
