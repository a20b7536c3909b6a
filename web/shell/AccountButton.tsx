import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { accountQuery } from '#web/api/account.ts';
import { LazyPopup } from '#web/ui/LazyPopup.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import styles from './AccountMenu.module.css';

const PhoneDialog = lazyComponent(async () => (await import('#web/sharing/PhoneDialog.tsx')).PhoneDialog);
const AccountMenu = lazyComponent(async () => (await import('./AccountMenu.tsx')).AccountMenu);

/** Button of the user's menu, which is loaded when it opens. */
export function AccountButton({ onKeys, onPalette }: { onKeys(): void; onPalette(): void }) {
  const { t } = useLingui();
  // Page on which the dialog is open: its link to the settings closes it.
  const [phoneAt, setPhoneAt] = useState<string>();
  const { pathname } = useLocation();
  const name = useQuery(accountQuery).data?.name ?? '';
  return (
    <>
      <LazyPopup
        button={(props) => (
          <button type="button" className={styles.trigger} aria-label={t`Account: ${name}`} title={name} {...props}>
            <span aria-hidden>{[...name][0]?.toLocaleUpperCase()}</span>
          </button>
        )}
        popup={(props) => <AccountMenu onKeys={onKeys} onPalette={onPalette} onPhone={() => setPhoneAt(pathname)} {...props} />}
      />
      {phoneAt === pathname && <PhoneDialog onClose={() => setPhoneAt(undefined)} />}
    </>
  );
}
