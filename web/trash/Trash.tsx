import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { sizeText } from '#web/format/numbers.ts';
import { Button } from '#web/ui/Button.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { Pager, usePage, useExistingPage } from '#web/ui/Pager.tsx';
import { StaffOnly } from '#web/ui/StaffOnly.tsx';
import { useTitle } from '#web/ui/use-title.ts';
import { useConfig, useIsStaff } from '#web/api/account.ts';
import { Card } from '#web/setting-fields/Card.tsx';
import { Muted } from '#web/setting-fields/Muted.tsx';
import styles from './Trash.module.css';
import { TrashRow } from './TrashRow.tsx';
import { PurgeDialog } from './PurgeDialog.tsx';
import { trashQuery } from '#web/api/queries/trash.ts';

/** Deleted videos that can be restored, for administrators. */
export function Trash() {
  const { t } = useLingui();
  const isStaff = useIsStaff();
  useTitle(t`Trash`);
  return isStaff ? <TrashList /> : <StaffOnly />;
}

function TrashList() {
  const { t } = useLingui();
  const [page, setPage] = usePage();
  const [openDialog, setOpenDialog] = useState(false);
  const unit = useConfig()?.file_size_unit;
  const query = useQuery(trashQuery(page));
  useExistingPage(query);
  return (
    <div className={styles.page}>
      <h1>{t`Trash`}</h1>
      <Card>
        <QueryBoundary query={query} skeleton={300}>
          {({ data, paginate, total_size: bytes, days }) => (
            <>
              <Muted>
                <Plural
                  value={days}
                  _0="The trash is off. Deleted videos are removed immediately."
                  one="Deleted videos are kept for # day."
                  other="Deleted videos are kept for # days."
                />{' '}
                <Link to="/settings/application/storage/#trash.days">
                  <Trans>Change</Trans>
                </Link>
              </Muted>
              {paginate.total_hits === 0 ? (
                <Muted>
                  <Trans>The trash is empty.</Trans>
                </Muted>
              ) : (
                <div className={styles.head}>
                  <p className="number">
                    <Plural
                      value={paginate.total_hits}
                      one={`# video · ${sizeText(bytes, unit)}`}
                      other={`# videos · ${sizeText(bytes, unit)}`}
                    />
                  </p>
                  <Button kind="danger" icon={<IconTrash aria-hidden />} onClick={() => setOpenDialog(true)}>
                    <Trans>Empty trash</Trans>
                  </Button>
                </div>
              )}
              <ul>
                {data.map((entry) => (
                  <TrashRow key={entry.id} entry={entry} />
                ))}
              </ul>
              <Pager page={page} total={paginate.total_hits} size={paginate.page_size} onChange={setPage} />
              {openDialog && <PurgeDialog count={paginate.total_hits} bytes={bytes} onClose={() => setOpenDialog(false)} />}
            </>
          )}
        </QueryBoundary>
      </Card>
    </div>
  );
}
