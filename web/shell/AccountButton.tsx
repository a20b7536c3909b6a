import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { accountQuery } from '#web/api/account.ts';
import styles from './AccountMenu.module.css';

const PhoneDialog = lazy(async () => ({ default: (await import('#web/sharing/PhoneDialog.tsx')).PhoneDialog }));
const AccountMenu = lazy(async () => ({ default: (await import('./AccountMenu.tsx')).AccountMenu }));

/** Button of the user's menu, which is loaded when it opens. */
export function AccountButton({ onKeys, onPalette }: { onKeys(): void; onPalette(): void }) {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(false);
  // Page on which the dialog is open: its link to the settings closes it.
  const [phoneAt, setPhoneAt] = useState<string>();
  const { pathname } = useLocation();
  const button = useRef<HTMLButtonElement>(null);
  const name = useQuery(accountQuery).data?.name ?? '';
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.trigger}
        aria-label={t`Account: ${name}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        title={name}
        onClick={() => setIsOpen(true)}
      >
        <span aria-hidden>{[...name][0]?.toLocaleUpperCase()}</span>
      </button>
      {isOpen && (
        <Suspense>
          <AccountMenu
            anchor={button}
            onClose={() => setIsOpen(false)}
            onKeys={onKeys}
            onPalette={onPalette}
            onPhone={() => setPhoneAt(pathname)}
          />
        </Suspense>
      )}
      {phoneAt === pathname && (
        <Suspense>
          <PhoneDialog onClose={() => setPhoneAt(undefined)} />
        </Suspense>
      )}
    </>
  );
}
